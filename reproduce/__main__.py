"""``python -m reproduce``: the numbers of the papers, printed and computed side by side.

Exit code 1 if a number that matched before no longer does, 2 if the input is wrong.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import clusterscore as cs
from clusterscore.nouns import plural
from clusterscore.progress import shown
from reproduce import ALL, PAPERS, data_folder, reproduce
from reproduce.written import FILES, FORMS, draw, drawable, written


def main(arguments: list[str] | None = None) -> None:
    """Run the command; whatever is wrong with the input is one line on stderr."""
    parser = argparse.ArgumentParser("reproduce", description=__doc__.partition("\n")[0].partition(": ")[2])
    parser.add_argument("papers", nargs="*", choices=[*PAPERS, ALL], default=ALL, help="default: all")
    parser.add_argument(
        "--data", help="a folder with the data sets elm-pss, odp239 and search-results; without it, less is computed"
    )
    parser.add_argument(
        "--out", help="write the tables (Markdown, CSV, JSON) and the figures (SVG, PDF) to this folder"
    )
    parser.add_argument("--format", choices=FORMS, default="table", help="how to print (default: %(default)s)")
    parser.add_argument("--quiet", "-q", action="store_true", help="no progress on the terminal")
    try:
        sys.exit(_run(parser.parse_args(arguments)))
    except (cs.ClusterscoreError, OSError) as error:
        print(f"reproduce: {error}", file=sys.stderr)
        sys.exit(2)


def _run(options: argparse.Namespace) -> int:
    data, folder = data_folder(options.data), None if options.out is None else Path(options.out)
    if folder is not None:  # before anything is computed
        if folder.exists() and not folder.is_dir():
            raise cs.FileError(f"{folder}: is a file; --out takes a folder, which is made where there is none")
        folder.mkdir(parents=True, exist_ok=True)
    with shown(not options.quiet):
        results = reproduce(options.papers, data)
        if folder is not None:
            for form, name in FILES.items():
                (folder / name).write_text(written(results, form) + "\n", encoding="utf-8")
            figures = sum(len(result.figures) for result in results)
            if drawable():
                draw(results, folder)
            elif figures:
                print(f"reproduce: {plural(figures, 'figure')} not drawn, for want of matplotlib", file=sys.stderr)
    print(written(results, options.format))
    regressed = [(result.paper, row) for result in results for row in result.rows if row.regressed]
    for paper, row in regressed:
        print(f"reproduce: regressed: {paper}, {row.section}, {row.quantity}: {row.printed} is printed, {row.computed} "
              "computed", file=sys.stderr)  # fmt: skip
    return 1 if regressed else 0


if __name__ == "__main__":
    main()
