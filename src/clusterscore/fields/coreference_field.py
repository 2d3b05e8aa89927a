"""Coreference: mentions of entities in documents, as CoNLL-2012 is scored."""

from clusterscore.fields import register_field
from clusterscore.nouns import Field, Nouns

COREFERENCE_FIELD = register_field(
    Field(
        name="coreference",
        about="Which mentions in a text are the same entity?",
        nouns=Nouns(("mention", "mentions"), ("entity", "entities"), ("document", "documents")),
        measures={
            "conll": "CoNLL F1",
            "muc": "MUC",
            "b3": "B3",
            "ceafe": "CEAFe",
            "ceafm": "CEAFm",
            "blanc(links=document)": "BLANC",
            "lea": "LEA",
            "mentions": "mention detection",
        },
        why="Papers rank by CoNLL F1, the mean F of MUC, B3 and CEAFe. LEA and BLANC have fewer known flaws, and "
        "mention detection tells whether mentions or entities were missed.",
        percent=True,
        digits=2,
        formats=("conll", "corefud", "jsonlines", "conllua", "litbank"),
        tried_first=("coreference",),
        paper={"muc": "MUC", "b3": "B³", "ceafe": "CEAFφ₄", "conll": "Avg. F1"},
        scorer="the reference scorer of CoNLL-2012, v8.01: every count (it truncates after two decimals)",
        page="fields/coreference",
    )
)
