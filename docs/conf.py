import re
import shlex
import sys
from contextlib import chdir, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import api_pages  # noqa: E402
import drawings  # noqa: E402
import metric_pages  # noqa: E402
import plot_pictures  # noqa: E402
from docutils.nodes import SkipNode  # noqa: E402
from latex2mathml.converter import convert  # noqa: E402
from sphinx.environment.adapters.toctree import TocTree  # noqa: E402
from sphinx.pycode import ModuleAnalyzer  # noqa: E402

import clusterscore  # noqa: E402
from clusterscore.command import main  # noqa: E402
from clusterscore.fields import FIELDS  # noqa: E402

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
html_js_files = ["docs.js"]

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


def write_live_reports(app, error):
    """The reports that pages link to, written by the commands that are shown there."""
    for page in ("report.md", "coreference.md"):
        text = (HERE / page).read_text(encoding="utf-8").replace("\\\n", "")
        ((arguments, name),) = re.findall(r"^\$ clusterscore (report .* -o) (live-.*)$", text, re.MULTILINE)
        with chdir(HERE.parent), redirect_stdout(StringIO()):
            try:
                main([*shlex.split(arguments), str(Path(app.outdir) / name)])
            except SystemExit as ended:
                if ended.code:
                    raise RuntimeError(arguments) from ended


def add_search_words(app, page, source):
    """The words that people look for, as entries of the index below the title of their page."""
    lines = (HERE / "search_words.txt").read_text(encoding="utf-8").splitlines()
    words = dict(line.split(": ", 1) for line in lines[1:])
    if page in words:
        title, _, rest = source[0].partition("\n")
        entries = ", ".join(f"! {word}" for word in words[page].split(", "))  # main entries come first in the search
        source[0] = f"{title}\n\n```{{index}} {entries}\n```\n{rest}"


def add_field_cards(app, page, source):
    """A card for each field, on the start page."""
    if page == "index":
        known = [field for field in FIELDS.values() if (HERE / f"{field.page}.md").exists()]
        cards = [f"- [**{field.name}**]({field.page}.md) \\\n  {field.about}" for field in known]
        source[0] = source[0].replace("<!-- a card for each field -->", "\n".join(cards))


def show_one_signature(app):
    """The one that a function runs with, which has every option; overloads are for type checkers."""
    rooms = ("score.scoring", "compare.comparing", "sweep.sweeping")
    for module in (*(f"clusterscore.analyses.{room}" for room in rooms), "clusterscore.constraints"):
        analyzer = ModuleAnalyzer.for_module(module)
        analyzer.analyze()
        analyzer.overloads.clear()


def list_pages_once(app, page, template, context, doctree):
    """The theme's list of all pages is the same on every page but for what :func:`mend_html` changes in it."""
    if "toctree" in context:
        context["toctree"] = lambda **options: pages_listed(app.builder, **options)


@cache
def pages_listed(builder, **options):
    """The list of all pages, as seen from a page of the main folder that is not in it."""
    return builder.render_partial(TocTree(builder.env).get_toctree_for("genindex", builder, **options))["fragment"]


def mend_html(app, page, template, context, doctree):
    """What the theme and Sphinx write that a screen reader stumbles on; and the list of pages as seen from this one."""
    tree = context.get("furo_navigation_tree", "").replace('role="heading"', 'role="heading" aria-level="2"')
    place = page
    while place:  # and the pages above it
        link = re.escape(f'<a class="reference internal" href="{place}.html">')
        tree = re.sub(f"({link}(?:(?!<li).)*?<input )", r'\1checked="" ', tree, flags=re.DOTALL)
        tree = re.sub(f'(<li class="[^"]*)(?=">\\s*{link})', r"\1 current", tree)
        if place == page:
            own = r'\1 current-page">\2<a class="current reference internal" href="#">'
            tree = re.sub(f'(<li class="[^"]*)">(\\s*){link}', own, tree)
        place = next((above for above, below in app.env.toctree_includes.items() if place in below), None)
    context["furo_navigation_tree"] = re.sub('href="(?!#|[a-z]+:)', f'href="{"../" * page.count("/")}', tree)
    parameters = re.compile(r'(?<=<span class="sig-paren">\(</span>)\n*<dl>(.*?)</dl>', re.DOTALL)
    context["body"] = parameters.sub(_without_definitions, context.get("body", ""))


def _without_definitions(match):
    lines = match[1].replace("<dd>", "<div>").replace("</dd>", "</div>")
    return f'<div class="parameters">{lines}</div>'


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
    app.connect("source-read", add_field_cards)
    app.connect("html-page-context", list_pages_once, priority=100)  # before the theme
    app.connect("html-page-context", mend_html, priority=900)  # after the theme
    app.connect("autodoc-process-docstring", api_pages.add_shared_options, priority=400)  # before napoleon reads it
    app.add_directive("drawing", drawings.Drawing)
    app.add_html_math_renderer("mathml", (inline_math, None), (displayed_math, None))
