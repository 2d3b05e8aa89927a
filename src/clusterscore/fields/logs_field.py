"""Logs: lines and the templates that they were printed from, as parsers of logs are scored."""

from clusterscore.fields import register_field
from clusterscore.nouns import Field, Nouns

register_field(
    Field(
        name="logs",
        about="Which lines of a log were printed by the same statement?",
        nouns=Nouns(("line", "lines"), ("template", "templates"), ("log", "logs")),
        measures={
            "grouping_accuracy": "GA",
            "cluster_match": "FGA",
            "pairwise": "pair F1",
            "elm": "ELM",
        },
        why="GA is the share of lines whose template was found exactly, which a few frequent templates decide. FGA "
        "counts every template once; its P and R are known as PGA and RGA. Pair F1 and ELM give credit for parts.",
        conventions={"noise_as": "loghub"},
        columns={"element": ("LineId",), "cluster": ("EventTemplate", "EventId"), "document": ("Dataset",)},
        scorer="loghub-2.0 (GA, PGA, RGA, FGA) and logparser (GA, pair F1): to 1e-12",
        page="fields/logs",
    )
)
