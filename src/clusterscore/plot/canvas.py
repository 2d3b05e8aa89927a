"""Where plots are drawn: on the Axes of a user or on a figure of their own, in a style that stays there; and files."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterscore.exceptions import ClusterscoreError, FileError, InputTypeError, visible
from clusterscore.plot.style import INK, PAPER, RC, TICKS, WIDTH, compact
from clusterscore.show.saving import write_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

FORMS = ("svg", "pdf", "png")
_DPI = 200  # a column of a paper is small on a screen
_PRINT_DPI = 300
_OFFSCREEN: ContextVar[bool] = ContextVar("offscreen", default=False)
_UNSEEN = frozenset({"agg", "cairo", "pdf", "pgf", "ps", "svg", "template"})  # backends of pyplot without a window
_FILES: dict[str, Any] = {"svg.fonttype": "none", "pdf.fonttype": 42}  # text stays text


class Panel(NamedTuple):
    """What a plot is drawn on."""

    ax: Axes
    own: bool  # on a figure that was made for it
    ink: Any  # black on white, or what the user writes with, and on
    paper: Any

    def label(self, x: str, y: str) -> None:
        """Name both axes."""
        self.ax.set_xlabel(x, usetex=False)
        self.ax.set_ylabel(y, usetex=False)

    def legend(self, columns: int = 2) -> None:
        """Name the lines: above the plot where nothing else can stand there."""
        if self.own:
            self.ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=columns)
        else:
            self.ax.legend(loc="best")

    def ramp(self, color: Any, least: float = 0.0) -> Colormap:
        """From almost nothing to a colour: it lies on the paper, whatever colour that has."""
        from matplotlib.colors import LinearSegmentedColormap, to_rgba

        return LinearSegmentedColormap.from_list("ramp", [to_rgba(color, least), to_rgba(color, 1.0)])

    def logarithmic(self, axis: str, low: float, high: float) -> None:
        """A log scale for counts from low to high, written 1, 10, 100, 1k: no formulas, which would not stay text."""
        from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

        steps = (1.0, 2.0, 5.0) if high / low < 200 else (1.0,)
        (self.ax.set_xscale if axis == "x" else self.ax.set_yscale)("log")
        ticks = self.ax.xaxis if axis == "x" else self.ax.yaxis
        ticks.set_major_locator(LogLocator(subs=steps, numticks=8))
        ticks.set_minor_locator(LogLocator(subs=range(2, 10), numticks=99))
        ticks.set_major_formatter(FuncFormatter(lambda count, _: compact(count)))
        ticks.set_minor_formatter(NullFormatter())


@contextmanager
def panel(ax: Axes | None, height: float) -> Iterator[Panel]:
    """The Axes that the user gave, as they are; or new ones of a column's width, in our style.

    Settings of matplotlib hold inside only.
    """
    matplotlib = _matplotlib()
    if ax is not None:
        if not isinstance(ax, matplotlib.axes.Axes):
            raise InputTypeError(
                f"ax is of the type {type(ax).__name__}, not an Axes of matplotlib; pass one, or none for a new figure"
            )
        with matplotlib.rc_context({"text.usetex": False}):  # a name with _ in it is no TeX
            yield Panel(ax, False, matplotlib.rcParams["text.color"], ax.get_facecolor())
        return
    with matplotlib.style.context(["default", RC]):
        made = _figure(height).add_subplot()
        made.tick_params(which="major", length=2.5, **TICKS)
        made.tick_params(which="minor", length=1.5, **TICKS)
        yield Panel(made, True, INK, PAPER)


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
    """
    where = Path(path)
    form = where.suffix.lower().removeprefix(".")
    if form not in FORMS:
        raise FileError(f"{where}: a plot is written as {', '.join('.' + one for one in FORMS)}; name the file so")
    if not where.parent.is_dir():
        raise FileError(f"{where}: there is no folder {where.parent}; make it first")
    write_file(where, _drawn(ax, form, "clusterscore"))
    return where


def svg(ax: Axes, name: str = "plot", *, label: str = "", ink: str | None = None, paper: str | None = None) -> str:
    """The figure of a plot as an ``<svg>`` element that can stand in a page.

    ``name`` begins all its ids, so that several plots can stand in one page. ``label`` is what a screen reader says.
    ``ink`` and ``paper`` are what black and white become, such as ``"currentColor"`` and ``"var(--paper)"``; by default
    they stay. The font is that of the page, and the ground is transparent.
    """
    from html import escape

    written = _drawn(ax, "svg", name, transparent=True).decode()
    name = re.sub(r"[^\w-]", "-", name)
    text = _HEAD.sub("", written)
    colours = {old: new for old, new in ((INK, ink), (PAPER, paper)) if new is not None}
    text = _TAG.sub(lambda found: _own(found[0], name, colours), text).strip()
    role = f'role="img" aria-label="{escape(visible(label))}"' if label else 'aria-hidden="true"'
    return text.replace("<svg", f'<svg {role} style="stroke-linejoin: round; stroke-linecap: butt"', 1)


# what a page does not need, and a rule for everything in it
_HEAD = re.compile(r"^.*?(?=<svg)|<metadata>.*?</metadata>\s*|<style.*?</style>\s*", re.DOTALL)
_TAG = re.compile(r"<[a-z][^>]*>")  # in text < and > are escaped
_FONT = re.compile(r" font-family: [^;\"]*;?")
_ID = re.compile(r'( id="| xlink:href="#|url\(#)')


def _own(tag: str, name: str, colours: Mapping[str, str]) -> str:
    """A tag with ids that no other plot has, and with the font and the colours of the page."""
    for old, new in colours.items():
        tag = tag.replace(f": {old}", f": {new}")
    return _ID.sub(rf"\g<1>{name}-", _FONT.sub("", tag))


def _drawn(ax: Axes, form: str, salt: str, transparent: bool = False) -> bytes:
    matplotlib = _matplotlib()
    if not isinstance(ax, matplotlib.axes.Axes):
        raise InputTypeError(f"ax is of the type {type(ax).__name__}, not an Axes; pass what a plot has returned")
    figure = ax.get_figure(root=True) if hasattr(ax, "get_figure") else ax.figure
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[form]
    with matplotlib.rc_context({**_FILES, "svg.hashsalt": salt}), warnings.catch_warnings():
        if form == "svg":  # who reads it has fonts of their own
            warnings.filterwarnings("ignore", r"Glyph \d+", UserWarning)
        written = BytesIO()
        figure.savefig(written, format=form, dpi=_PRINT_DPI, metadata=metadata, transparent=transparent)
    if form != "svg":
        return written.getvalue()
    return "\n".join(map(visible, written.getvalue().decode().split("\n"))).encode()  # XML has no control characters


def _figure(height: float) -> Figure:
    """A figure that pyplot shows, where somebody looks at what pyplot shows; else one that nobody has to close."""
    size = {"figsize": (WIDTH, height), "dpi": _DPI, "layout": "constrained"}
    if _watched() and not _OFFSCREEN.get():
        from matplotlib import pyplot

        return pyplot.figure(**size)  # type: ignore[arg-type]
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(**size)  # type: ignore[arg-type]
    FigureCanvasAgg(figure)
    return figure


def _watched() -> bool:
    """In a notebook, or where pyplot is in use and has windows."""
    ipython = sys.modules.get("IPython")
    if ipython is not None and ipython.get_ipython() is not None:
        return True
    pyplot = sys.modules.get("matplotlib.pyplot")
    return pyplot is not None and pyplot.get_backend().lower() not in _UNSEEN


def _matplotlib() -> Any:
    try:
        import matplotlib
        import matplotlib.axes
        import matplotlib.style
    except ImportError:
        raise ClusterscoreError(
            'plots are drawn with matplotlib, which is not installed; pip install "clusterscore[report]"'
        ) from None
    return matplotlib
