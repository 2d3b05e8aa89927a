"""How the command ends when it is interrupted, cannot write, or would overwrite its input: one line, no traceback."""

from __future__ import annotations

import os
import shlex
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import clusterscore as cs
from clusterscore.command import main
from clusterscore.show.saving import write_file
from running import needs_posix, run

COMMAND = [sys.executable, "-m", "clusterscore"]
posix = pytest.mark.skipif(os.name != "posix", reason="signals and descriptors of a POSIX system")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "g.csv").write_text("element,cluster\n1,a\n2,a\n3,b\n")
    (tmp_path / "p.csv").write_text("element,cluster\n1,x\n2,y\n3,y\n")
    return tmp_path


def shell(line: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """What a shell makes of a line; ``clusterscore`` in it is the command."""
    needs_posix()
    typed = line.replace("clusterscore", shlex.join(COMMAND))
    return subprocess.run(["/bin/sh", "-c", typed], cwd=cwd, capture_output=True, text=True, timeout=120, check=False)


def one_line(text: str) -> str:
    assert text.startswith("clusterscore: ")
    assert text.count("\n") == 1
    return text


def interrupted(arguments: list[str], number: int, ready: Callable[[subprocess.Popen[bytes]], None], cwd: Path) -> None:
    started = subprocess.Popen([*COMMAND, *arguments], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    ready(started)
    started.send_signal(number)
    out, errors = started.communicate(timeout=120)
    word = "interrupted" if number == signal.SIGINT else "terminated"
    assert (out, errors.decode(), started.returncode) == (b"", f"clusterscore: {word}\n", 128 + number)


def slow_files(home: Path, rows: int = 3_000_000) -> list[str]:
    for side, step in (("gold", 7), ("pred", 11)):
        with open(home / f"{side}.csv", "w") as file:
            file.write("element,cluster\n")
            file.writelines(f"{k},{k * step % 1_000_003}\n" for k in range(rows))
    return ["gold.csv", "pred.csv"]


def loaded(name: str, then: float = 0.0) -> Callable[[subprocess.Popen[bytes]], None]:
    """When a library is there, as the system's list of a process's memory says, and so many seconds of work later.

    Those of its processors, not of a clock: on a busy machine it is as far as on an idle one.
    """

    def wait(started: subprocess.Popen[bytes]) -> None:
        about, since = Path(f"/proc/{started.pid}"), None
        while started.poll() is None:
            user, system = (about / "stat").read_text().rpartition(")")[2].split()[11:13]
            used = (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
            if since is None and name in (about / "maps").read_text():
                since = used
            if since is not None and used >= since + then:
                return
            time.sleep(0.002)
        raise AssertionError(f"it ended before it was interrupted, with {started.returncode}")

    return wait


linux = pytest.mark.skipif(sys.platform != "linux", reason="/proc tells when to interrupt")


@linux
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_while_it_is_imported(number: int, folder: Path) -> None:
    interrupted(["score", "g.csv", "p.csv"], number, loaded("_multiarray_umath"), folder)


@linux
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("engine", ["arrays", "duckdb"])
def test_interrupted_while_it_reads_and_counts(number: int, engine: str, tmp_path: Path) -> None:
    files = slow_files(tmp_path)
    arguments = ["score", *files, "--engine", engine, "-m", "elm, ami, ceafe" if engine == "arrays" else "elm"]
    for work in (0.0, 0.5, 1.0, 1.5):  # of 3 seconds and more
        interrupted(arguments, number, loaded("_duckdb", work), tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["gold.csv", "pred.csv"]


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_while_it_waits_for_standard_input(number: int, folder: Path) -> None:
    started = subprocess.Popen(
        [*COMMAND, "score", "g.csv", "-"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    assert started.stdin is not None
    started.stdin.write(b"x" * 2**20)  # more than a pipe holds: now it is reading
    started.stdin.flush()
    started.send_signal(number)
    started.wait(timeout=120)
    assert started.returncode == 128 + number
    assert started.stderr is not None
    one_line(started.stderr.read().decode())
    started.stderr.close()
    assert started.stdout is not None
    started.stdout.close()
    with suppress(BrokenPipeError):
        started.stdin.close()


@linux
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_while_it_shuffles(number: int, tmp_path: Path) -> None:
    rows = "".join(f"{k},{k // 3},{k // 4}\n" for k in range(20_000))
    (tmp_path / "both.csv").write_text("element,gold,pred\n" + rows)
    arguments = ["compare", "both.csv", "--gold", "gold", "--pred", "pred", "--resamples", "1000000", "-q"]
    interrupted([*arguments, "-m", "elm", "--unit", "elements"], number, loaded("_duckdb", 1.0), tmp_path)


def test_an_ignored_signal_stays_ignored(folder: Path) -> None:
    late = "(sleep 1; cat p.csv) | clusterscore score g.csv - -m elm"  # it waits for the rest of its input
    done = shell(f"trap '' INT; {late} & sleep 0.5; kill -INT $!; wait $!", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "elm" in done.stdout


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("clusterscore score g.csv p.csv >&-", "standard output is closed"),
        ("clusterscore --help >&-", "standard output is closed"),
        ("clusterscore score - p.csv <&-", "standard input is closed"),
        ("clusterscore coref - p.csv <&-", "standard input is closed"),
        ("clusterscore score g.csv - --engine duckdb --format-in csv <&-", "standard input is closed"),
        ("clusterscore score g.csv p.csv > /dev/full", "standard output: No space left on device"),
        ("clusterscore --help > /dev/full", "No space left on device"),
    ],
)
def test_nowhere_to_write_to_or_to_read_from(line: str, words: str, folder: Path) -> None:
    done = shell(line, folder)
    assert done.returncode == 2, done.stderr
    assert words in one_line(done.stderr)


@posix
@pytest.mark.usefixtures("without_plots")
def test_no_room_for_a_report(folder: Path) -> None:
    done = run("report", "g.csv", "p.csv", "-o", "/dev/full", cwd=folder)
    assert done.returncode == 2, done.stderr
    assert "'/dev/full' cannot be written: No space left on device" in one_line(done.stderr)


def test_a_reader_that_leaves(folder: Path) -> None:
    done = shell("{ clusterscore metrics; echo $? > code; } | true", folder)
    assert (folder / "code").read_text() in ("141\n", "0\n")  # 0 where all was written before it left
    (folder / "many.csv").write_text("element,gold,pred\n" + "".join(f"{k},{k // 2},{k // 3}\n" for k in range(20_000)))
    line = "{ clusterscore elements many.csv --gold gold --pred pred --format csv; echo $? > code; } | head -1"
    done = shell(line, folder)
    assert done.stdout.startswith("element,gold,pred,")
    assert (folder / "code").read_text() == "141\n"
    assert "closed before everything was written" in one_line(done.stderr)
    done = shell(f"PYTHONUNBUFFERED=1; export PYTHONUNBUFFERED; {line}", folder)
    assert (folder / "code").read_text() == "141\n"


def test_closed_errors_do_not_matter(folder: Path) -> None:
    assert shell("clusterscore score g.csv nothing.csv 2>&-", folder).returncode == 2
    assert shell("clusterscore score g.csv nothing.csv 2> /dev/full", folder).returncode == 2


@pytest.mark.parametrize("name", ["g.csv", "./g.csv", "link.csv", "hard.csv"])
@pytest.mark.parametrize("gold", ["g.csv", "[g]*.csv", "hard.csv", "link.csv"])
def test_a_report_does_not_replace_its_inputs(
    name: str, gold: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "link.csv").symlink_to("g.csv")
    os.link(folder / "g.csv", folder / "hard.csv")
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    monkeypatch.chdir(folder)
    for inputs in ([gold, "p.csv"], ["p.csv", gold], [gold, "--gold", "cluster", "--pred", "element"]):
        with pytest.raises(SystemExit) as left:
            main(["report", *inputs, "-o", name])
        assert left.value.code == 2
        assert "which would be lost; name another file" in one_line(capsys.readouterr().err)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_a_file_is_complete_or_what_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "page.html"
    path.write_text("before")
    path.chmod(0o640)
    write_file(path, b"after")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"after", 0o640)

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(cs.FileError, match=r"page.html' cannot be written: No space left on device; name another file"):
        write_file(path, b"x" * 1000)
    with pytest.raises(cs.FileError, match=r"new.html' cannot be written"):
        write_file(tmp_path / "new.html", b"x")

    def stopped(number: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", stopped)
    with pytest.raises(KeyboardInterrupt):
        write_file(path, b"x" * 1000)
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]
    assert path.read_bytes() == b"after"


def test_links_and_new_files(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "page.html").write_text("before")
    (tmp_path / "link.html").symlink_to("there/page.html")
    write_file(tmp_path / "link.html", b"after")
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "there" / "page.html").read_bytes() == b"after"
    before = os.umask(0o027)
    try:
        write_file(tmp_path / "new.html", b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.html").stat().st_mode) == 0o640
    write_file(tmp_path / ("x" * 250), b"x")  # the longest name that there can be


@posix
def test_a_pipe_is_written_to_and_what_is_read_only_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_file(tmp_path / "pipe", b"through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    (tmp_path / "page.html").write_text("before")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everything
    with pytest.raises(cs.FileError, match=r"page.html' cannot be written: Permission denied; name another file"):
        write_file(tmp_path / "page.html", b"after")
    assert (tmp_path / "page.html").read_text() == "before"


def plots(path: Path) -> None:
    with cs.plot.offscreen():
        cs.plot.save(cs.plot.sizes([0, 0, 1], [0, 1, 1]), path)


def report(path: Path) -> None:
    cs.report([0, 0, 1], [0, 1, 1], path=path)


@pytest.mark.parametrize(("write", "name"), [(plots, "a.svg"), (plots, "a.pdf"), (plots, "a.png"), (report, "a.html")])
def test_functions_write_all_or_nothing(
    write: Callable[[Path], Any], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).write_text("before")

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(cs.FileError, match="No space left"):
        write(tmp_path / name)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [(name, "before")]
