"""Coreference as programs write it: nothing is off by one, and what is broken is said."""

from __future__ import annotations

import gzip
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clusterscore as cs
from clusterscore.read.coreference import CorefFile, read_coreference
from read.coreference.shape_writers import COLUMNS, SHAPES, bounds, brat, conll_ua, litbank, spacy
from read.coreference.writers import WORDS, Document, _writable, conll, entities_of, jsonlines, written

UA = Path(__file__).resolve().parents[2] / "golden" / "ua"
EXAMPLE = Document(
    "nw/x", 3,
    [["Ann", "Lee", "met", "Bob", "."], ["She", "gave", "him", "her", "book", "."], ["It", "was", "old", "."]],
    {0: [((0, 1),), ((5, 5),), ((8, 8),)], 1: [((3, 3),), ((7, 7),)], 2: [((8, 9),), ((11, 11),)], 3: [((13, 13),)]},
)  # fmt: skip
SIGNED = {"wl-coref", "wl-coref data", "preco", "stanza chains", "corenlp", "spacy"}  # the end is behind a mention


def read(tmp_path: Path, text: str, name: str = "file", **options: Any) -> CorefFile:
    (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    return read_coreference(tmp_path / name, **options)


def warnings_of(tmp_path: Path, file: CorefFile, name: str = "file") -> list[str]:
    return [warning.removeprefix(f"{str(tmp_path / name)!r}: ") for warning in file.warnings]


def error(tmp_path: Path, text: str, name: str = "file", **options: Any) -> str:
    with pytest.raises(cs.ClusterscoreError) as caught:
        read(tmp_path, text, name, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(str(tmp_path), "")


def json_line(**content: Any) -> str:
    return json.dumps(content) + "\n"


@st.composite
def documents(draw: st.DrawFn) -> list[Document]:
    """Up to three documents, whose mentions may be nested or cross, but do not go across sentences."""
    made = []
    for number in range(draw(st.integers(1, 3))):
        sentences = draw(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), min_size=1, max_size=4))
        document = Document("né/x", number, sentences)
        starts = [sum(map(len, sentences[:k])) for k in range(len(sentences))]
        places = st.integers(0, len(sentences) - 1).flatmap(
            lambda k, starts=starts, sentences=sentences: st.tuples(  # type: ignore[misc]
                st.just(starts[k]), st.integers(0, len(sentences[k]) - 1), st.integers(0, len(sentences[k]) - 1)
            )
        )
        for start, first, second in draw(st.lists(places, unique=True, max_size=8)):
            mention = ((start + min(first, second), start + max(first, second)),)
            entity = draw(st.integers(0, 3))
            if all(_writable(mention, other) and mention != other for other in document.entities.get(entity, [])):
                document.entities.setdefault(entity, []).append(mention)
        document.entities = dict(sorted(document.entities.items()))
        made.append(document)
    return made


class TestRoundTrip:
    @pytest.mark.parametrize("name", SHAPES)
    def test_what_is_written_is_read(self, name: str, tmp_path: Path) -> None:
        form, write = SHAPES[name]
        file = read(tmp_path, write([EXAMPLE]))
        assert (file.form, warnings_of(tmp_path, file)) == (form, [])
        assert entities_of(file) == written([EXAMPLE])
        (document,) = file.documents.values()
        assert document.tokens == 15
        assert [*document.text.words().forms] == EXAMPLE.tokens
        assert file.options == ({"ends": "exclusive"} if name in SIGNED else {})

    @pytest.mark.parametrize("name", SHAPES)
    @settings(max_examples=25, deadline=None)
    @given(some=documents())
    def test_random_documents(self, name: str, some: list[Document]) -> None:
        form, write = SHAPES[name]
        if not any(document.entities for document in some) and (form == "corefud" or "spacy" in name):
            return  # there nothing says that nothing was found
        if "spacy" in name:
            some = [document for document in some if document.entities]
        with tempfile.TemporaryDirectory() as folder:
            file = read(Path(folder), write(some))
            assert entities_of(file) == written(some)
            assert file.warnings == [] or file.warnings[0].endswith("no mention in column IDENTITY; scored as empty")

    @settings(max_examples=25, deadline=None)
    @given(some=documents())
    def test_brackets_without_ids(self, some: list[Document]) -> None:
        """In CoNLL-UA a bracket closes what was opened last, whatever its entity: mentions are nested."""
        for document in some:
            kept: list[Any] = []
            for entity, mentions in document.entities.items():
                document.entities[entity] = []
                for mention in mentions:
                    if all(_writable(mention, other) and mention != other for other in kept):
                        kept.append(mention)
                        document.entities[entity].append(mention)
            document.entities = {entity: mentions for entity, mentions in document.entities.items() if mentions}
        with tempfile.TemporaryDirectory() as folder:
            assert entities_of(read(Path(folder), conll_ua(some, crossing=False))) == written(some)

    @settings(max_examples=25, deadline=None)
    @given(some=documents())
    def test_litbank(self, some: list[Document]) -> None:
        """A mention is in one entity: of brat's lines, those of one span are one."""
        with tempfile.TemporaryDirectory() as folder:
            for document in some:
                spans = [mention for mentions in document.entities.values() for mention in mentions]
                if not spans or len(set(spans)) < len(spans):
                    continue
                (Path(folder) / "x.txt").write_text(bounds(document)[0], encoding="utf-8", newline="")
                for write in (litbank, brat):
                    file = read(Path(folder), write(document), "x.ann")
                    assert file.form == "litbank"
                    assert file.warnings == []
                    assert entities_of(file) == {"x_0": written([document])[document.key]}


class TestScores:
    @pytest.mark.parametrize("name", SHAPES)
    def test_against_conll(self, tmp_path: Path, name: str) -> None:
        (tmp_path / "key.conll").write_text(conll([EXAMPLE]), encoding="utf-8")
        (tmp_path / "response").write_text(SHAPES[name][1]([EXAMPLE]), encoding="utf-8")
        card = cs.coref(tmp_path / "key.conll", tmp_path / "response")
        assert card.warnings == []
        assert [card[metric].value for metric in ("conll", "lea", "ceafm")] == [1, 1, 1]
        assert ("pred_ends:exclusive" in card["b3"].signature) == (name in SIGNED)
        both = cs.coref(tmp_path / "response", tmp_path / "response")
        assert ("|ends:exclusive" in both["b3"].signature) == (name in SIGNED)

    def test_characters(self, tmp_path: Path) -> None:
        text, found_at = bounds(EXAMPLE)
        clusters = [[[found_at[a][0], found_at[b][1]] for ((a, b),) in some] for some in EXAMPLE.entities.values()]
        (tmp_path / "fastcoref").write_text(json_line(doc_key=EXAMPLE.key, text=text, clusters=clusters))
        last = [[[start, end - 1] for start, end in some] for some in clusters]
        (tmp_path / "maverick").write_text(json_line(doc_key=EXAMPLE.key, text=text, clusters_char_offsets=last))
        (tmp_path / "spacy").write_text(spacy([EXAMPLE]))
        key = tmp_path / "fastcoref"
        for name, signed in (("fastcoref", ""), ("maverick", "|pred_ends:inclusive"), ("spacy", "")):
            card = cs.coref(key, tmp_path / name, offsets="characters")
            assert (card["conll"].value, card.warnings) == (1, [])
            assert card["b3"].signature == f"b3|avg:micro|missing:keep|offsets:characters{signed}|v:{cs.__version__}"

    @pytest.mark.parametrize("case", ["g_ua1", "g_ua2"])
    def test_as_the_scorer_of_universal_anaphora(self, case: str) -> None:
        """Without split antecedents, which are left out with a warning."""
        golden = {run["case"]: run["scores"] for run in json.loads((UA / "golden.json").read_text())["runs"]}[case]
        with pytest.warns(cs.ClusterscoreWarning, match=r"\d mentions with ElementOf, for a split antecedent"):
            card = cs.coref(UA / f"{case}.key.conllua", UA / f"{case}.response.conllua")
        assert len(card.warnings) == 2
        for metric in ("muc", "b3", "ceafm", "ceafe", "lea"):
            score = card[metric]
            assert [score.recall, score.precision, score.f] == pytest.approx(golden[metric], abs=1e-12)
        assert card["conll"].value == pytest.approx(golden["conll"][-1], abs=1e-12)


class TestAsWritten:
    """Files in the words of the programs, and not of the writers above."""

    def test_wl_coref(self, tmp_path: Path) -> None:
        """Of sample_input.jsonlines: there "my" is word 2, "Tom" 5, "I" 7."""
        words = ["Hi", ",", "my", "name", "is", "Tom", ".", "I", "am", "five", "."]
        document = {
            "document_id": "tc_sample_input_001", "cased_words": words, "sent_id": [0] * 7 + [1] * 4,
            "speaker": ["Tom"] * 11, "word_clusters": [[2, 5, 7]], "span_clusters": [[[2, 3], [5, 6], [7, 8]]],
        }  # fmt: skip
        file = read(tmp_path, json_line(**document))
        assert file.documents["tc_sample_input_001"].clusters == {"0": [(2, 2), (5, 5), (7, 7)]}

    def test_wl_coref_parts(self, tmp_path: Path) -> None:
        parts = [{"document_id": "nw/x", "part_id": k, "cased_words": ["a"], "clusters": []} for k in (0, 1)]
        file = read(tmp_path, "".join(json_line(**part) for part in parts))
        assert list(file.documents) == ["nw/x_0", "nw/x_1"]
        assert file.warnings == []

    def test_stanza_in_one_file(self, tmp_path: Path) -> None:
        """print(doc) writes a list of sentences over many lines; here with a token of two words and an empty node."""
        doc = [
            [
                {"id": [1, 2], "text": "al", "start_char": 0, "end_char": 2},
                {"id": 1, "text": "a", "coref_chains": []},
                {"id": 2, "text": "el", "coref_chains": [
                    {"index": 0, "representative_text": "el perro", "is_start": True, "is_representative": True}]},
                {"id": 3, "text": "perro", "coref_chains": [
                    {"index": 0, "representative_text": "el perro", "is_end": True, "is_representative": True}]},
            ],
            [
                {"id": [0, 1], "text": "_", "coref_chains": [
                    {"index": 0, "representative_text": "el perro", "is_start": True, "is_end": True}]},
                {"id": 1, "text": "come", "coref_chains": []},
                {"id": [1, 1], "text": "_", "coref_chains": [
                    {"index": 1, "representative_text": "_", "is_start": True, "is_end": True}]},
            ],
        ]  # fmt: skip
        zeros = [(2 << 12) + 2**11 + 1, (3 << 12) + 1]
        wanted = {"0": [(1, 2), (zeros[0],)], "1": [(zeros[1],)]}
        for text in (json.dumps(doc, indent=2), json.dumps(doc), json.dumps([doc]), json.dumps([doc], indent=1)):
            file = read(tmp_path, text)
            assert file.form == "jsonlines"
            assert file.documents["1"].clusters == wanted
            assert file.documents["1"].tokens == 4
        rows = [
            ("1-2", "al", "_"), ("1", "a", "_"), ("2", "el", "coref_chains=start-repr-id0"),
            ("3", "perro", "coref_chains=end-repr-id0"), None, ("0.1", "_", "coref_chains=unit-id0"),
            ("1", "come", "_"), ("1.1", "_", "coref_chains=unit-id1"), None,
        ]  # fmt: skip
        text = "\n".join("" if row is None else "\t".join([row[0], row[1], *"_______", row[2]]) for row in rows)
        conllu = read(tmp_path, f"# text = al perro\n{text}\n")
        assert conllu.documents["1"].clusters == wanted
        card = cs.coref(tmp_path / "file", tmp_path / "file", singletons="keep")
        assert card["conll"].value == 1
        assert "[∅]" in "".join(cs.elements(card.table)["context"].tolist())

    def test_coref_data_with_empty_nodes(self, tmp_path: Path) -> None:
        """Of its CorefUD: ids are numbers with a point, and positions count empty nodes too."""
        tokens = [{"id": 1.0, "text": "come"}, {"id": 1.1, "text": "_"}, {"id": 2.0, "text": "pan"}]
        chains = [[[0, 1, 1], [0, 2, 2]], [[0, 0, 2]]]
        file = read(tmp_path, json_line(id="d", text="come pan", sentences=[{"tokens": tokens}], coref_chains=chains))
        assert file.documents["d"].clusters == {"1": [(0, 1, 1 << 12)], "0": [(1,), (1, 1)]}
        assert file.documents["d"].tokens == 2

    def test_stanza_dicts(self, tmp_path: Path) -> None:
        """What stanza.utils.coref.coref_utils.coref_chains_as_dicts makes: start and end."""
        chains = [{"index": 4, "representative": "b c", "mentions": [{"sentence": 0, "start": 1, "end": 3}]}]
        file = read(tmp_path, json_line(id="d", sentences=[["a", "b", "c"]], coref_chains=chains))
        assert file.documents["d"].clusters == {"0": [(1, 2)]}

    def test_corenlp_over_many_lines(self, tmp_path: Path) -> None:
        document = {
            "docId": "in.txt",
            "sentences": [{"index": 0, "tokens": [{"index": 1, "word": "He"}]},
                          {"index": 1, "tokens": [{"index": 1, "word": "The"}, {"index": 2, "word": "dog"}]}],
            "corefs": {"3": [
                {"id": 1, "text": "He", "startIndex": 1, "endIndex": 2, "headIndex": 1, "sentNum": 1},
                {"id": 3, "text": "The dog", "startIndex": 1, "endIndex": 3, "headIndex": 2, "sentNum": 2},
            ]},
        }  # fmt: skip
        file = read(tmp_path, json.dumps(document, indent=2))
        assert file.documents["in.txt"].clusters == {"3": [(0, 0), (1, 2)]}

    def test_universal_anaphora(self, tmp_path: Path) -> None:
        """A gap, a zero, what does not refer, and split antecedents."""
        cells = [
            "(EntityID=1|MarkableID=m1|ElementOf=4", ")(EntityID=2|MarkableID=m2)", "(EntityID=5-Pseudo|MarkableID=m3",
            ")", "(EntityID=2|MarkableID=m2)", "(EntityID=1|MarkableID=m4(EntityID=2|MarkableID=m5", "))",
        ]  # fmt: skip
        rows = [f"{k}\tw{k}\t" + "_\t" * 8 + cell + "\t_\t_\t_\t_" for k, cell in enumerate(cells, 1)]
        rows.insert(2, "2.1\t_\t" + "_\t" * 8 + "(EntityID=4|MarkableID=m9)\t_\t_\t_\t_")
        text = f"# global.columns = {COLUMNS}\n# newdoc id = d\n" + "\n".join(rows) + "\n"
        file = read(tmp_path, text)
        assert file.documents["d"].clusters == {
            "1": [(0, 1), (5, 6)], "2": [(1 << 12, 4 << 12), (5, 6)], "4": [((1 << 12) + 1,)]
        }  # fmt: skip
        assert warnings_of(tmp_path, file) == [
            "1 mention with ElementOf, for a split antecedent (e.g. '(EntityID=1|MarkableID=m1|ElementOf=4' in line 3, "
            "document 'd'); that link is left out, it is not scored",
            "1 mention without a referent, EntityID=..-Pseudo (e.g. '(EntityID=5-Pseudo|MarkableID=m3' in line 6, "
            "document 'd'); left out, as in the Universal Anaphora scorer",
        ]

    def test_identity_in_another_column(self, tmp_path: Path) -> None:
        text = "# global.columns = ID FORM IDENTITY MISC\n# newdoc id = d\n1\ta\t(EntityID=1|MarkableID=m1)\t_\n"
        assert read(tmp_path, text).documents["d"].clusters == {"1": [(0, 0)]}

    def test_litbank_as_it_is(self, tmp_path: Path) -> None:
        """Two sentences of The Masque of the Red Death, in both formats, and LitBank's own CoNLL for them."""
        (tmp_path / "1064_brat.txt").write_text(
            "The scarlet stains upon the face of the victim .\n"
            "This was the pest ban which shut him out from his men .\n"
        )
        tsv = (
            "MENTION\tT1\t0\t7\t0\t8\tthe victim\tPER\tNOM\nMENTION\tT91\t1\t7\t1\t7\thim\tPER\tPRON\n"
            "MENTION\tT53\t1\t10\t1\t11\this men\tPER\tNOM\nMENTION\tT92\t1\t10\t1\t10\this\tPER\tPRON\n"
            "MENTION\tT57\t1\t2\t1\t4\tthe pest ban\tFAC\tNOM\nCOREF\tT1\tthe_victim-1\nCOREF\tT91\tthe_victim-1\n"
            "COREF\tT53\this_fellow-men-2\nCOREF\tT92\tthe_victim-1\nCOP\tT57\tT15\n"
        )
        standoff = (
            "T1\tNOM_PER 36 46\tthe victim\nT91\tPRON_PER 82 85\thim\nT53\tNOM_PER 95 102\this men\n"
            "T92\tPRON_PER 95 98\this\nT57\tNOM_FAC 58 70\tthe pest ban\nT136\tthe_victim-1 36 46\tthe victim\n"
            "T226\tthe_victim-1 82 85\thim\nT188\this_fellow-men-2 95 102\this men\nT227\tthe_victim-1 95 98\this\n"
            "R1\tcop Arg1:T57 Arg2:T88\n"
        )
        wanted = [[(7, 8), (17, 17), (20, 20)], [(12, 14)], [(20, 21)]]
        for text, signed in ((tsv, {}), (standoff, {"ends": "exclusive"})):
            for end in ("\n", "\r\n"):
                file = read(tmp_path, text.replace("\n", end), "1064_brat.ann")
                assert entities_of(file) == {"1064_brat_0": wanted}
                assert (file.warnings, file.options) == ([], signed)
        (tmp_path / "1064_brat.ann.gz").write_bytes(gzip.compress(tsv.encode()))
        assert entities_of(read_coreference(tmp_path / "1064_brat.ann.gz")) == {"1064_brat_0": wanted}
        (tmp_path / "other.ann").write_text(tsv)
        (tmp_path / "other.txt").write_text((tmp_path / "1064_brat.txt").read_text())
        assert [*read_coreference(str(tmp_path / "*.ann")).documents] == ["(1064_brat); part 0", "(other); part 0"]


class TestTrouble:
    @pytest.mark.parametrize(
        ("content", "wrong"),
        [
            ({"cased_words": ["a", "b", "c"], "span_clusters": [[[0, 0], [2, 1], [1, 3], [1]]]},
             "[start, end], the end behind it"),
            ({"sentences": [["a"], ["b", "c"]], "mention_clusters": [[[0, 0, 2], [1, 1, 1], [2, 0, 1], [1, 0, 2]]]},
             "[sentence, start, end] in a sentence of the document, the end behind it"),
            ({"sentences": [["a"], ["b", "c"]], "coref_chains": [[[0, 0, 1], [0, 0], [1, 1, 0], [1, 0, 1]]]},
             "[sentence, start, end] in a sentence of the document"),
            ({"sentences": [["a"], ["b", "c"]], "coref_chains": [{"mentions": [
                {"sentence": 0, "start_word": 0, "end_word": 2}, {"sentence": 1, "start_word": 1, "end_word": 1},
                {"sentence": 1, "start_word": [1, 1]}, {"sentence": 1, "start_word": 0, "end_word": 2}, 5]}]},
             "sentence, start_word and end_word in a sentence of the document"),
            ({"sentences": [{"tokens": [{"word": "a"}]}, {"tokens": [{"word": "b"}, {"word": "c"}]}], "corefs": {"7": [
                {"sentNum": 0, "startIndex": 1, "endIndex": 2}, {"sentNum": 1, "startIndex": 1, "endIndex": 3},
                {"sentNum": 2, "startIndex": 0, "endIndex": 1}, {"sentNum": 2, "startIndex": 1, "endIndex": 3}, []]}},
             "sentNum, startIndex and endIndex in a sentence of the document"),
            ({"text": "a bc d", "tokens": [{"start": 0, "end": 1}, {"start": 2, "end": 4}, {"start": 5, "end": 6}],
              "spans": {"coref_clusters_1": [{"start": 0, "end": 2}, {"start": 3, "end": 4}, {"start": 2, "end": 6}]}},
             "start and end, characters where tokens begin and end"),
        ],
    )  # fmt: skip
    def test_mentions(self, tmp_path: Path, content: dict[str, Any], wrong: str) -> None:
        file = read(tmp_path, json_line(doc_key="d", **content))
        assert [*file.documents["d"].clusters.values()] == [[(1, 2)]]
        assert f"not given as {wrong} (e.g. " in file.warnings[0]
        assert "line 1, document 'd'); left out" in file.warnings[0]

    def test_tokens_that_are_no_texts(self, tmp_path: Path) -> None:
        file = read(tmp_path, json_line(doc_key="d", clusters=[[[0, 1]]], tokens=["chapter", 5]))
        assert file.documents["d"].text.words().forms == ["chapter", "5"]

    def test_an_end_without_a_start(self, tmp_path: Path) -> None:
        words = [{"id": 1, "text": "a", "coref_chains": [{"index": 0, "is_end": True}]},
                 {"id": 2, "text": "b", "coref_chains": [{"index": 0, "is_start": True}]}]  # fmt: skip
        file = read(tmp_path, json.dumps([words]))
        assert file.documents["1"].clusters == {}
        assert file.warnings[1].startswith(f"{str(tmp_path / 'file')!r}: 2 mentions not given as sentence, start_word")
        rows = [f"{k}\ta\t_\t_\t_\t_\t_\t_\t_\tcoref_chains={at}" for k, at in ((1, "end-id0"), (2, "start-id1,x"))]
        assert warnings_of(tmp_path, read(tmp_path, "\n".join(rows) + "\n")) == [
            "1 mention closed but never opened (e.g. '0)' in line 1, document '1'); left out",
            "1 item of coref_chains not written as unit-id0, start-id0, middle-id0 or end-id0 (e.g. 'x' in line 2, "
            "document '1'); left out",
            "1 mention opened but never closed (e.g. '(1' in line 2, document '1'); left out",
        ]

    def test_brackets_of_universal_anaphora(self, tmp_path: Path) -> None:
        cells = [
            "x",
            ")",
            "(EntityID=|MarkableID=m",
            "(MarkableID=m)",
            "m7)",
            "(EntityID=1|MarkableID=m2",
            "(EntityID=1))",
        ]
        rows = [f"{k}\tw\t" + "_\t" * 8 + cell for k, cell in enumerate(cells, 1)]
        file = read(tmp_path, f"# global.columns = {COLUMNS}\n# newdoc id = d\n" + "\n".join(rows) + "\n")
        assert file.documents["d"].clusters == {}
        assert warnings_of(tmp_path, file) == [
            "4 items of IDENTITY not written as (EntityID=..|.., (EntityID=..) or ) (e.g. 'x' in line 3, "
            "document 'd'); left out",
            "2 mentions closed but never opened (e.g. ')' in line 4, document 'd'); left out",
            "1 mention opened but never closed (e.g. '(m2' in line 8, document 'd'); left out",
            "no mention in column IDENTITY; scored as empty",
        ]

    def test_words_are_needed(self, tmp_path: Path) -> None:
        assert error(tmp_path, json_line(id="d", mention_clusters=[])) == (
            "'/file', line 1: mention_clusters has mentions as [sentence, start, end] in a sentence of the document, "
            "the end behind it, but document 'd' has no sentences; write them too"
        )

    def test_litbank(self, tmp_path: Path) -> None:
        line = "MENTION\tT1\t0\t0\t0\t1\tx\tPER\tNOM\n"
        assert error(tmp_path, line, "a.ann") == (
            "'/a.ann': the text of 1 file is not beside it (e.g. '/a.txt'); put it there, with a sentence in every "
            "line: annotations have no words, and tokens are counted in it"
        )
        (tmp_path / "a.txt").write_text("one\ntwo words\n")
        bad = line + "COREF\tT9\tx\nMENTION\tT2\nMENTION\tT3\t1\t0\t1\t1\tx\nMENTION\tT4\t1\t1\t1\t0\tx\n"
        file = read(tmp_path, bad, "a.ann")
        assert entities_of(file) == {"a_0": [[(1, 2)]]}
        assert warnings_of(tmp_path, file, "a.ann") == [
            r"1 line without a mention or an entity (e.g. 'MENTION\tT2' in line 3, document '(a); part 0'); left out",
            "1 entity of a mention missing from the file (e.g. 'T9 x' in line 2, document '(a); part 0'); left out",
            r"2 mentions outside of the text (e.g. 'MENTION\tT1\t0\t0\t0\t1\tx\tPER\tNOM' in line 1, document "
            "'(a); part 0'); left out",
        ]
        file = read(tmp_path, "T1\tx-1 0 3\tone\nT2 x 0 3\n", "a.ann")
        assert warnings_of(tmp_path, file, "a.ann") == [
            "1 line without a mention or an entity (e.g. 'T2 x 0 3' in line 2, document '(a); part 0'); left out"
        ]
        assert "is litbank, which has tokens" in error(tmp_path, line, "a.ann", offsets="characters")


class TestTraps:
    """What used to score 0 without a word."""

    def test_conllu_without_coreference(self, tmp_path: Path) -> None:
        row = "1\tcoref_chains=unit-id0\t_\t_\t_\t_\t_\t_\t_\t{}\n2\tEntity=(e1)\t_\t_\t_\t_\t_\t_\t_\t_\n"
        assert error(tmp_path, row.format("SpaceAfter=No|start_char=0")) == (
            "'/file' has no coreference: no Entity= in the last column, as in CorefUD, nor coref_chains=, as in "
            "Stanza's output; it has only 'SpaceAfter', 'start_char'"
        )
        assert error(tmp_path, "# newdoc id = d\n" + row.format("_")).endswith("; nothing is there")
        header = "# global.Entity = eid-etype-head-other\n"
        assert warnings_of(tmp_path, read(tmp_path, header + row.format("_"))) == [
            "no Entity= in the last column; scored as empty"
        ]

    def test_json_without_clusters(self, tmp_path: Path) -> None:
        text = json_line(doc_key="a", mentions=[]) + json_line(doc_key="b", sentences=[["x"]], entities=[])
        assert error(tmp_path, text) == (
            "'/file': no clusters in 2 documents (keys: 'doc_key', 'mentions', 'sentences', 'entities'); in tokens "
            "they are read from span_clusters, clusters_token_offsets, mention_clusters, coref_chains, corefs, spans, "
            "clusters, predicted_clusters"
        )
        assert error(tmp_path, json_line(id="d", spans={"sc": []})).startswith(
            "'/file': no clusters in 1 document (keys"
        )
        assert error(tmp_path, json_line(id="d", clusters=None)).startswith("'/file': no clusters")
        assert error(tmp_path, json_line(id="d", clusters_char_offsets=[])).endswith('; pass offsets="characters"')
        assert error(tmp_path, json.dumps([[{"id": 1, "text": "a"}]])).startswith("'/file': no clusters")

    def test_one_of_several_documents(self, tmp_path: Path) -> None:
        file = read(tmp_path, jsonlines([EXAMPLE]) + json_line(doc_key="e"))
        assert warnings_of(tmp_path, file) == [
            "1 document without clusters (e.g. line 2, document 'e'); scored as empty"
        ]

    @pytest.mark.parametrize("form", ["conllua", "litbank"])
    def test_named_forms(self, tmp_path: Path, form: str) -> None:
        assert f"is CoNLL-2012, not {'CoNLL-UA' if form == 'conllua' else 'LitBank'}" in error(
            tmp_path, conll([EXAMPLE]), form=form
        )
