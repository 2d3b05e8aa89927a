import re
import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import api_pages  # noqa: E402
import metric_pages  # noqa: E402
import overlap_pictures  # noqa: E402
import plot_pictures  # noqa: E402
from docutils.nodes import SkipNode  # noqa: E402
from latex2mathml.converter import convert  # noqa: E402
from sphinx.pycode import ModuleAnalyzer  # noqa: E402

import clusterscore  # noqa: E402

project = "clusterscore"
author = "the clusterscore developers"
copyright = "the clusterscore developers"
version = release = clusterscore.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]
exclude_patterns = ["_build", "templates"]
templates_path = ["templates"]
myst_enable_extensions = ["attrs_block", "deflist", "dollarmath"]
myst_heading_anchors = 3
smartquotes = False  # "auto" is an option's value, not a quotation

copybutton_prompt_text = r">>> |\.\.\. |\$ "  # what is copied can be run
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"

html_theme = "furo"
html_title = f"clusterscore {release}"
html_copy_source = False
html_math_renderer = "mathml"  # which browsers draw themselves: no script, no other host
html_static_path = ["static"]
html_css_files = ["docs.css"]

autodoc_typehints = "both"
autodoc_typehints_format = "short"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"
autosummary_context = api_pages.context()
autosummary_filename_map = api_pages.filenames()
autosummary_generate_overwrite = True
maximum_signature_line_length = 90
add_module_names = False


def write_metric_pages(app):
    """Generate docs/metrics; an unchanged page keeps its time, so that it is not built again."""
    folder = HERE / "metrics"
    folder.mkdir(exist_ok=True)
    pages = metric_pages.pages()
    for stale in folder.glob("*.md"):
        if stale.stem not in pages:
            stale.unlink()
    for name, text in pages.items():
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def draw_pictures(app):
    """Generate docs/pictures."""
    folder = HERE / "pictures"
    folder.mkdir(exist_ok=True)
    plot_pictures.draw(folder)
    overlap_pictures.draw(folder)


def write_live_reports(app, error):
    """The reports that pages link to, written by the commands that are shown there."""
    for page in ("report.md", "coreference.md"):
        text = (HERE / page).read_text(encoding="utf-8").replace("\\\n", "")
        ((arguments, name),) = re.findall(r"^\$ clusterscore (report .* -o) (live-.*)$", text, re.MULTILINE)
        command = [sys.executable, "-m", "clusterscore", *shlex.split(arguments), Path(app.outdir) / name]
        subprocess.run(command, check=True, cwd=HERE.parent, stdout=subprocess.DEVNULL)


def add_search_words(app, page, source):
    """The words that people look for, as entries of the index below the title of their page."""
    lines = (HERE / "search_words.txt").read_text(encoding="utf-8").splitlines()
    words = dict(line.split(": ", 1) for line in lines[1:])
    if page in words:
        title, _, rest = source[0].partition("\n")
        entries = ", ".join(f"! {word}" for word in words[page].split(", "))  # main entries come first in the search
        source[0] = f"{title}\n\n```{{index}} {entries}\n```\n{rest}"


def show_one_signature(app):
    """The one that a function runs with, which has every option; overloads are for type checkers."""
    rooms = ("score.scoring", "compare.comparing")
    for module in (*(f"clusterscore.analyses.{room}" for room in rooms), "clusterscore.constraints"):
        analyzer = ModuleAnalyzer.for_module(module)
        analyzer.analyze()
        analyzer.overloads.clear()


def inline_math(self, node):
    """Mathematics in a line of text."""
    self.body.append(convert(node.astext()))
    raise SkipNode


def displayed_math(self, node):
    """An equation on a line of its own."""
    self.body.append(f'<div class="equation">{convert(node.astext(), display="block")}</div>')
    raise SkipNode


def setup(app):
    app.connect("builder-inited", write_metric_pages)
    app.connect("builder-inited", show_one_signature)
    app.connect("builder-inited", draw_pictures)
    app.connect("build-finished", write_live_reports)
    app.connect("source-read", add_search_words)
    app.connect("autodoc-process-docstring", api_pages.add_shared_options, priority=400)  # before napoleon reads it
    app.add_html_math_renderer("mathml", (inline_math, None), (displayed_math, None))
