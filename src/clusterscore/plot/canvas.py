"""What plots share: what they are given, the Axes and the style that they are drawn in, and the files they become."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from html import escape
from importlib.util import find_spec
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from clusterscore.analyses.align_labels import AlignedLabels
from clusterscore.analyses.request import Metrics, Request
from clusterscore.analyses.score.scorecard import Scorecard
from clusterscore.count.counting import as_table
from clusterscore.count.table import Table
from clusterscore.exceptions import ClusterscoreError, FileError, InputTypeError, a_type
from clusterscore.fields import field, using
from clusterscore.messages import visible
from clusterscore.metrics import Metric, metric, metrics_of
from clusterscore.nouns import in_use
from clusterscore.plot.style import INK, LEFT, PAPER, WIDTH, compact
from clusterscore.requirements import check_version
from clusterscore.show.grid import MINUS
from clusterscore.show.result import Result, find_metric
from clusterscore.show.saving import write_file

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

P = ParamSpec("P")
T = TypeVar("T")

FORMS = ("svg", "pdf", "png")
_DPI = 200  # a column of a paper is small on a screen
_PRINT_DPI = 300
_OFFSCREEN: ContextVar[bool] = ContextVar("offscreen", default=False)
_UNSEEN = frozenset({"agg", "cairo", "pdf", "pgf", "ps", "svg", "template"})  # backends of pyplot without a window
# what a page does not need of a drawing, and a rule for everything in it
_HEAD = re.compile(r"^.*?(?=<svg)|<metadata>.*?</metadata>\s*|<style.*?</style>\s*|(?<=\n) +", re.DOTALL)
_TAG = re.compile(r"<[a-z][^>]*>")  # in text < and > are escaped
_FONT = re.compile(r" font-family: [^;\"]*;?")
_ID = re.compile(r'( id="| xlink:href="#|url\(#)')
_DIGITS = re.compile(r"(?<=\.\d\d)\d+")  # of a point, which are not seen
_GROUP = re.compile(r'<g id="([^"]*)"')
_DRAWN = re.compile(r"<(use|path)(?= (?!id=))(?!.*fill: none)", re.DOTALL)  # a mark; what has an id is drawn elsewhere
_MARKED = re.compile(r"(<g [^>]*)>\s*((?:<use [^>]*/>\s*)+)</g>")  # marks of one kind
_STYLE = re.compile(r' style="[^"]*"')
_MOST_MARKS = 2000  # of one kind in a plot, which are explained


def in_words_of_results(plot: Callable[P, T]) -> Callable[P, T]:
    """Decorator: a plot is drawn in the field that is named, or in the words of the result or results it is given."""

    @wraps(plot)
    def drawn(*args: P.args, **options: P.kwargs) -> T:
        named: Any = options.pop("field", None)
        given: Any = next(iter((*args, *options.values())), None)
        if isinstance(given, Mapping) and not isinstance(given, Result):
            given = next(iter(given.values()), None)
        with using(field(named) if named is not None else given.use if isinstance(given, Result) else None):
            return plot(*args, **options)

    return drawn


def counted(
    gold: Any, pred: Any, policies: dict[str, Any], metrics: Metrics = None, default: Sequence[str] = ("elm",)
) -> tuple[Table, list[Metric]]:
    """The table of what a plot was given, and the metrics as they apply to it; weights by name change no counts.

    Without metrics the ``default`` ones, or where clusters overlap their matched versions. Of a Scorecard, "bcubed" is
    its bcubed(beta=2), where it has no other; if it has none of the default, its first metrics are taken.
    """
    if isinstance(gold, AlignedLabels):
        gold = gold.table
    if isinstance(pred, Scorecard) or (isinstance(gold, Scorecard) and pred is not None):
        raise InputTypeError("a Scorecard contains both sides; pass it alone, instead of gold and pred")
    card = gold if isinstance(gold, Scorecard) else None

    def request(names: str | Metric | Iterable[str | Metric]) -> Request:
        chosen = metrics_of(names)
        if card is not None:
            chosen = [metric(find_metric(choice, list(card))) if str(choice) in card else choice for choice in chosen]
        return Request.of(chosen, counted=pred is None, **policies)

    if (
        card is not None
        and metrics is None
        and not any(name in card for metric in default for name in (metric, f"matched_{metric}"))
    ):
        metrics = list(card)[: len(default)]
    asked = request(default if metrics is None else metrics)
    table = as_table(gold if card is None else card.table, pred, members=asked.ordered, **asked.options)
    if metrics is None and table.overlapping:
        asked = request([f"matched_{name}" for name in default])
    return table, [metric.on(table) for metric in asked.metrics]


class Mark(NamedTuple):
    """What one mark of a plot is, in words, and what a page shows when it is clicked.

    That is ``gold/3``, the fourth gold cluster; ``pred:2-4``, the predicted clusters of these sizes, ``pred:2-`` from
    this size on; ``doc/3``, the fourth document; or ``system:A``.
    """

    words: str
    find: str = ""


_MARKS: WeakKeyDictionary[Figure, dict[str, Sequence[Mark]]] = WeakKeyDictionary()


class Panel(NamedTuple):
    """What a plot is drawn on."""

    ax: Axes
    own: bool  # on a figure that was made for it
    ink: Any  # what is written with, and on: black on white, or what the user has
    paper: Any

    def label(self, x: str, y: str, names: bool = False) -> None:
        """Name both axes; where names of rows and columns stand beside them, there is room on that side only."""
        self.ax.set_xlabel(x, usetex=False, loc="right" if names else "center")
        self.ax.set_ylabel(y, usetex=False, loc="top" if names else "center")

    def explain(self, drawn: Artist, marks: Sequence[Mark]) -> None:
        """Say what the marks of an artist are, in the order in which they are drawn."""
        if self.own and len(marks) <= _MOST_MARKS:
            known = _MARKS.setdefault(self.ax.figure.figure, {})
            drawn.set_gid(f"marks-{len(known)}")
            known[f"marks-{len(known)}"] = marks

    def scores(self, *axes: str) -> None:
        """Scores along an axis, in the unit of the field; laid down last, after the scale of the axis."""
        if (scale := in_use.get().scale) != 1:
            for axis in axes:
                getattr(self.ax, f"{axis}axis").set_major_formatter(
                    lambda score, _: f"{round(scale * score, 9):g}".replace("-", MINUS)
                )

    def legend(self, columns: int = 2, names: bool = False) -> None:
        """Name the lines: above the plot where nothing else can stand there; up to its end, where rows have names."""
        if self.own:
            where: Any = ("lower right", (1.0, 1.0)) if names else ("lower center", (0.5, 1.0))
            self.ax.legend(loc=where[0], bbox_to_anchor=where[1], ncols=columns)
        else:
            self.ax.legend(loc="best")

    def logarithmic(self, axis: str, low: float, high: float) -> None:
        """A log scale for counts from low to high, written 1, 10, 100, 1k: no formulas, which would not stay text."""
        from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

        steps = (1.0, 2.0, 5.0) if high / low < 200 else (1.0,)
        self.ax.set(**{f"{axis}scale": "log"})
        ticks = self.ax.xaxis if axis == "x" else self.ax.yaxis
        ticks.set_major_locator(LogLocator(subs=steps, numticks=8))
        ticks.set_minor_locator(LogLocator(subs=(2.0, 5.0), numticks=99))  # a tick is slow to draw
        ticks.set_major_formatter(FuncFormatter(lambda count, _: compact(count)))
        ticks.set_minor_formatter(NullFormatter())


@contextmanager
def panel(ax: Axes | None, height: float) -> Iterator[Panel]:
    """The Axes that the user gave, as they are; or new ones of a column's width, in our style.

    Settings of matplotlib hold inside only.
    """
    check_installed("plots are", "matplotlib")
    import matplotlib.axes

    if ax is not None:
        if not isinstance(ax, matplotlib.axes.Axes):
            raise InputTypeError(
                f"ax is {a_type(ax)}, not a matplotlib Axes; pass one, or leave it out for a new figure"
            )
        with matplotlib.rc_context({"text.usetex": False}):  # a name with _ in it is no TeX
            yield Panel(ax, False, matplotlib.rcParams["text.color"], ax.get_facecolor())
        return
    with panels(1, 1, height) as (on,):
        yield on


@contextmanager
def panels(count: int, columns: int, height: float) -> Iterator[list[Panel]]:
    """New Axes in so many columns, together of a column's width, in our style."""
    check_installed("plots are", "matplotlib")
    import matplotlib.style

    pyplot = _pyplot()  # first: what its backend sets when it is loaded, such as that it shows plots, is to stay
    with matplotlib.style.context(["default", "clusterscore.plot.column"]):
        figure = _figure(height, pyplot)
        made = [figure.add_subplot(-(-count // columns), columns, k + 1) for k in range(count)]
        # ticks are made when a figure is drawn, under the settings of that moment
        look = {"width": 0.6, "labelsize": matplotlib.rcParams["xtick.labelsize"], "colors": INK, "pad": 2}
        for ax in made:
            ax.tick_params(which="major", length=2.5, **look)
            ax.tick_params(which="minor", length=1.5, **look)
        yield [Panel(ax, True, INK, PAPER) for ax in made]


@contextmanager
def offscreen() -> Iterator[None]:
    """Inside, plots stay out of pyplot: for a program that writes files, also in a notebook.

    >>> import clusterscore as cs
    >>> with cs.plot.offscreen():
    ...     ax = cs.plot.sizes([0, 0, 1], [0, 1, 1])
    """
    before = _OFFSCREEN.set(True)
    try:
        yield
    finally:
        _OFFSCREEN.reset(before)


def save(ax: Axes, path: str | PathLike[str]) -> Path:
    """Write the figure of a plot to a file: ``.svg``, ``.pdf`` or ``.png``; the same plot gives the same bytes.

    Text stays text in SVG and PDF, so that it can be searched and set in another font. A PNG has 300 dots per inch.

    Options:
        ax: what a plot has returned.
        path: the file; its ending says which kind.

    >>> import clusterscore as cs, tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cs.plot.save(cs.plot.sizes([0, 0, 1], [0, 1, 1]), os.path.join(folder, "sizes.pdf")).name
    'sizes.pdf'
    """
    where = plot_file(path)
    write_file(where, _drawn(ax, where.suffix.lower().removeprefix("."), "clusterscore"))
    return where


def plot_file(path: str | PathLike[str]) -> Path:
    """Where a plot can be written."""
    where = Path(path)
    if where.suffix.lower().removeprefix(".") not in FORMS:
        raise FileError(f"{where}: a plot is written as {', '.join('.' + form for form in FORMS)}; use one of these")
    if not where.parent.is_dir():
        raise FileError(f"{where}: no folder {where.parent}; create it first")
    return where


def svg(ax: Axes, name: str = "plot", *, label: str = "", ink: str | None = None, paper: str | None = None) -> str:
    """The figure of a plot as an ``<svg>`` element that can stand in a page.

    The font is that of the page, and the ground is transparent. What a mark is stands in its ``data-tip``, for a page
    that shows it; plots of more than some thousand marks have none.

    Options:
        ax: what a plot has returned.
        name: what all its ids begin with, so that several plots can stand in one page.
        label: what a screen reader says.
        ink: what black becomes, such as ``"currentColor"``; by default it stays.
        paper: what white becomes, such as ``"var(--paper)"``.

    >>> import clusterscore as cs
    >>> cs.plot.svg(cs.plot.sizes([0, 0, 1], [0, 1, 1]), label="Cluster sizes")[:41]
    '<svg role="img" aria-label="Cluster sizes'
    """
    drawing = _HEAD.sub("", _drawn(ax, "svg", name, transparent=True).decode())
    name = re.sub(r"[^\w-]", "-", name)
    known = _MARKS.get(ax.figure.figure, {})
    marks: Iterator[Mark] = iter(())

    def own(tag: re.Match[str]) -> str:
        """A tag with ids that no other plot has, with the font and the colours of the page, and what it is."""
        nonlocal marks
        text = tag[0].replace(f": {INK}", f": {ink or INK}").replace(f": {PAPER}", f": {paper or PAPER}")
        text = _DIGITS.sub("", _ID.sub(rf"\g<1>{name}-", _FONT.sub("", text)))
        if group := _GROUP.match(tag[0]):
            marks = iter(known.get(group[1], ()))
        if _DRAWN.match(tag[0]) and (mark := next(marks, None)) is not None:
            find = f' data-find="{escape(visible(mark.find))}"' if mark.find else ""
            text = _DRAWN.sub(lambda start: f'{start[0]} data-tip="{escape(mark.words)}"{find}', text, count=1)
        return text

    role = f'role="img" aria-label="{escape(visible(label))}"' if label else 'aria-hidden="true"'
    head = f'<svg {role} style="stroke-linejoin: round; stroke-linecap: butt"'
    return _MARKED.sub(_together, _TAG.sub(own, drawing)).strip().replace("<svg", head, 1)


def _together(marks: re.Match[str]) -> str:
    """Marks that look the same, which a page need not be told of each."""
    looks = set(_STYLE.findall(marks[2]))
    if len(looks) > 1 or _STYLE.search(marks[1]):
        return marks[0]
    return f"{marks[1]}{''.join(looks)}>\n{_STYLE.sub('', marks[2])}</g>"


def _drawn(ax: Axes, form: str, salt: str, transparent: bool = False) -> bytes:
    import matplotlib.axes

    if not isinstance(ax, matplotlib.axes.Axes):
        raise InputTypeError(f"ax is {a_type(ax)}, not an Axes; pass the result of a plot")
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[form]
    settings: Any = {"svg.fonttype": "none", "pdf.fonttype": 42, "svg.hashsalt": salt}  # text stays text
    settings |= {"figure.autolayout": False, "figure.constrained_layout.use": False}
    figure = ax.figure.figure
    engine = figure.get_layout_engine()
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        if form == "svg":  # who reads it has fonts of their own
            warnings.filterwarnings("ignore", r"Glyph \d+", UserWarning)
        written = BytesIO()
        if engine is not None:  # laid out here, once: savefig would draw all of it twice
            engine.execute(figure)
            figure.set_layout_engine(None)
        try:
            figure.savefig(written, format=form, dpi=_PRINT_DPI, metadata=metadata, transparent=transparent)
        finally:
            figure.set_layout_engine(engine)
    if form != "svg":
        return written.getvalue()
    # XML has no control characters; marks of direction are our own
    lines = re.split(f"([\n{LEFT}])", written.getvalue().decode())
    return "".join(visible(part) if k % 2 == 0 else part for k, part in enumerate(lines)).encode()


def _pyplot() -> Any:
    """pyplot with its backend loaded, where somebody looks at it: in a notebook, or in windows; else None."""
    ipython, loaded = sys.modules.get("IPython"), sys.modules.get("matplotlib.pyplot")
    in_notebook = ipython is not None and ipython.get_ipython() is not None
    has_windows = loaded is not None and loaded.get_backend().lower() not in _UNSEEN
    if _OFFSCREEN.get() or not (in_notebook or has_windows):
        return None
    from matplotlib import pyplot

    pyplot.draw_if_interactive()  # type: ignore[no-untyped-call]  # which loads the backend
    return pyplot


def _figure(height: float, pyplot: Any) -> Figure:
    """A figure that pyplot shows; without pyplot one that nobody has to close."""
    import matplotlib

    check_version("matplotlib", matplotlib.__version__)
    size: dict[str, Any] = {"figsize": (WIDTH, height), "dpi": _DPI, "layout": "constrained"}
    if pyplot is not None:
        made: Figure = pyplot.figure(**size)
        return made
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    return FigureCanvasAgg(Figure(**size)).figure


def check_installed(what: str, *modules: str) -> None:
    """Raise where something is missing that a plot or a page is made with: before the work, not after it."""
    missing = [name for name in modules if find_spec(name) is None]
    if missing:
        raise ClusterscoreError(
            f'{what} made with {" and ".join(missing)}, not installed here; pip install "clusterscore[report]"'
        )
