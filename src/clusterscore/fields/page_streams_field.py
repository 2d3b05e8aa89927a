"""Page streams: scanned pages in a row, cut into documents."""

from clusterscore.fields import register_field
from clusterscore.nouns import Field, Nouns

register_field(
    Field(
        name="page-streams",
        about="Where does one document end and the next begin in a stream of pages?",
        nouns=Nouns(("page", "pages"), ("segment", "segments"), ("stream", "streams")),
        measures={
            "elm": "ELM",
            "bcubed": "BCubed",
            "boundaries": "boundary F1",
            "panoptic": "panoptic quality",
            "window_diff": "WindowDiff",
            "perfect_documents": "STP",
            "transfer_distance": "MNDD",
        },
        why="BCubed gives every page credit for finding itself; ELM does not. Papers print boundary F1, panoptic "
        "quality and WindowDiff. STP is the share of streams without any error, and MNDD the number of pages that "
        "have to be moved.",
        average="macro",
        tried_first=("boundaries", "lengths"),
        columns={"document": ("stream", "stream_id", "document"), "element": ("page", "page_id")},
        undoubted=("boundaries_as_labels",),
        by_document=60,
        scorer="the tables of the ELM paper (OpenPSS): to the four digits they print",
        page="fields/page-streams",
    )
)
