"""CRAC: multilingual coreference on CorefUD, as its shared tasks are scored."""

from dataclasses import replace

from clusterscore.fields import register_field
from clusterscore.fields.coreference_field import COREFERENCE_FIELD

_SHARED = ("conll", "muc", "b3", "ceafe", "ceafm")  # with the field of coreference

register_field(
    replace(
        COREFERENCE_FIELD,
        name="crac",
        about="Multilingual coreference on CorefUD, as the CRAC shared tasks rank it.",
        measures={
            **{name: COREFERENCE_FIELD.measures[name] for name in _SHARED},
            "blanc(dialect=luo2014, links=document)": "BLANC",
            "lea": "LEA",
            "mor": "MOR",
            "zero": "zero anaphora",
        },
        why="The ranking is the unweighted mean of CoNLL F1 over data sets. MOR is how well the words of mentions are "
        "found, and zero anaphora how well omitted pronouns are linked.",
        conventions={"match": "head", "singletons": "drop", "zeros": "dependent"},
        formats=(),
        scorer="corefud-scorer 1.2 without options, as in 2024, 2025 and 2026: to 1e-9",
        page="fields/crac",
    )
)
