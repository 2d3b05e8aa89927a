"""``clusterscore reproduce``: the numbers of the papers, printed and computed side by side."""

from __future__ import annotations

from pathlib import Path

import click

from clusterscore.command.choices import format_option
from clusterscore.command.group import cli
from clusterscore.command.printing import warn, write_out
from clusterscore.errors import FileError, plural
from clusterscore.papers import ALL, PAPERS, data_folder, reproduce
from clusterscore.papers.result import Result
from clusterscore.papers.written import FILES, draw, drawable, written
from clusterscore.progress import shown
from clusterscore.show.saving import write_file


@cli.command("reproduce")
@click.argument("papers", nargs=-1, type=click.Choice([*PAPERS, ALL]), metavar="[" + "|".join([*PAPERS, ALL]) + "]...")
@click.option(
    "--data", metavar="DIR", help="A folder with the data sets: elm-pss, odp239. Without it, less is computed."
)
@click.option("--out", metavar="DIR", help="Write the tables (Markdown, CSV, JSON) and the figures (SVG, PDF) there.")
@format_option
@click.option("--quiet", "-q", is_flag=True, help="No progress on the terminal.")
def reproduce_command(papers: tuple[str, ...], data: str | None, out: str | None, form: str, quiet: bool) -> None:
    """Compute the numbers that papers print (default: all papers), and put both side by side.

    Exit code 1 if a number that matched before no longer does.
    """
    where, folder = data_folder(data), _folder(out)
    with shown(not quiet):
        results = reproduce(papers or ALL, where)
        if folder is not None:
            _keep(results, folder)
    write_out(written(results, form), form)
    regressed = [(result.paper, row) for result in results for row in result.rows if row.regressed]
    for paper, row in regressed:
        warn(f"regressed: {paper}, {row.section}, {row.quantity}: {row.printed} is printed, {row.computed} computed")
    if regressed:
        click.get_current_context().exit(1)


def _keep(results: list[Result], folder: Path) -> None:
    """The tables and the figures, as files."""
    for form, name in FILES.items():
        write_file(folder / name, f"{written(results, form)}\n".encode())
    figures = sum(len(result.figures) for result in results)
    if drawable():
        draw(results, folder)
    elif figures:
        warn(f"{plural(figures, 'figure')} not drawn, for want of matplotlib; "
             'pip install "clusterscore[report]"')  # fmt: skip


def _folder(out: str | None) -> Path | None:
    """Where to write; a wrong place is told before anything is computed."""
    if out is None:
        return None
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise FileError(f"{out}: is a file; --out takes a folder, which is made where there is none")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
