"""Images: cells, nuclei and neurons, segmented in images and volumes."""

from clusterscore.fields import register_field
from clusterscore.nouns import Field, Nouns

register_field(
    Field(
        name="images",
        about="Which pixels or voxels belong to the same cell, nucleus or neuron?",
        nouns=Nouns(("pixel", "pixels"), ("object", "objects"), ("image", "images")),
        measures={
            "average_precision": "AP@0.5",
            "aji": "AJI",
            "sorted_ap": "SortedAP",
            "adapted_rand_error": "adapted Rand error",
            "variation_of_information(base=2)": "VI",
            "cremi": "CREMI score",
        },
        why="AP counts the objects that were found, AJI their pixels, and SortedAP is AP over all thresholds. The "
        "adapted Rand error and VI see which pixels were merged or split, also where no object was found.",
        conventions={"background": "gold"},
        tried_first=("npy", "npz", "tif"),
        undoubted=("boundaries_as_labels",),
        by_document=60,
        scorer="stardist, cellpose, hover_net, scikit-image, elf and funlib, each with its options: to 1e-6",
        page="fields/images",
    )
)
