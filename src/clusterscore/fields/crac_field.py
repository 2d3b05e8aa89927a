"""CRAC: multilingual coreference on CorefUD, as its shared tasks are scored."""

from clusterscore.fields.field_type import Field, register_field
from clusterscore.nouns import Nouns

register_field(
    Field(
        name="crac",
        about="Multilingual coreference on CorefUD, as the CRAC shared tasks rank it.",
        nouns=Nouns(("mention", "mentions"), ("entity", "entities"), ("document", "documents")),
        measures={
            "conll": "CoNLL F1",
            "muc": "MUC",
            "b3": "B3",
            "ceafe": "CEAFe",
            "ceafm": "CEAFm",
            "blanc(dialect=luo2014, links=document)": "BLANC",
            "lea": "LEA",
            "mor": "MOR",
            "zero": "zero anaphora",
        },
        why="The ranking is the unweighted mean of CoNLL F1 over data sets. MOR is how well the words of mentions are "
        "found, and zero anaphora how well omitted pronouns are linked.",
        percent=True,
        digits=2,
        conventions={"match": "head", "singletons": "drop", "zeros": "dependent"},
        tried_first=("coreference",),
        scorer="corefud-scorer 1.2 without options, as in 2024, 2025 and 2026: to 1e-9",
        page="fields/crac",
    )
)
