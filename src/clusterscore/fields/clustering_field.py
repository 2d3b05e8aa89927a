"""Clustering: points and classes, as in scikit-learn and in deep clustering."""

from clusterscore.fields import register_field
from clusterscore.nouns import Field, Nouns

register_field(
    Field(
        name="clustering",
        about="How well do the clusters of an algorithm agree with known classes?",
        nouns=Nouns(("point", "points"), ("cluster", "clusters"), ("data set", "data sets")),
        measures={
            "adjusted_rand": "ARI",
            "ami": "AMI",
            "nmi": "NMI",
            "v_measure": "V-measure",
            "set_matching": "ACC",
            "elm": "ELM",
        },
        why="ARI and AMI are corrected for chance, NMI and V-measure are not and favour many clusters. ACC matches "
        "clusters and classes one to one, as papers on deep clustering do.",
        scorer="scikit-learn: to 1e-12",
        page="fields/clustering",
    )
)
