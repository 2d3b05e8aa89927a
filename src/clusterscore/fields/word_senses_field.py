"""Word senses: in which sense a word is used, as SemEval-2013 task 13 is scored."""

from clusterscore.fields import register_field
from clusterscore.nouns import Field, Nouns

register_field(
    Field(
        name="word-senses",
        about="Which uses of a word have the same sense, and to which degree?",
        nouns=Nouns(("instance", "instances"), ("sense", "senses"), ("term", "terms")),
        measures={
            "graded_bcubed(dialect=semeval2013)": "fuzzy B-Cubed",
            "graded_bcubed": "graded BCubed",
            "fuzzy_rand": "FARI",
        },
        why="Fuzzy B-Cubed is the official measure. It gives no credit to an instance that is alone in its sense, "
        "even if that is right; graded BCubed is the same without this flaw. FARI is corrected for chance.",
        formats=("senses",),
        tried_first=("senses",),
        scorer="the fuzzy B-Cubed scorer of SemEval-2013 task 13, with precision and recall exchanged: to 1e-12",
        page="fields/word-senses",
    )
)
