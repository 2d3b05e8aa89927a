"""Write what JSON has of every row into ``src/clusterscore/show/output.schema.json``: it follows from the results.

``python docs/output_schema.py`` writes it anew, after a result has another column; a test asks for it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import clusterscore as cs
from clusterscore.show.columnar import NAMES
from clusterscore.show.description import ANY, NUMBER, Schema
from clusterscore.show.result import Result

FILE = Path(cs.__file__).parent / "show" / "output.schema.json"
WIDTH = 120  # characters of a line
GOLD, PRED = {"a": 0, "b": 0, "c": 1, "d": 2}, {"a": 0, "b": 1, "c": 1, "d": 2}
DOCUMENTS = {"a": "x", "b": "x", "c": "y", "d": "y"}
OPTIONAL = {"document", "system", "difference", "difference_low", "difference_high", "p", "stratum"}


def results() -> dict[str, Result]:
    """Every result whose rows JSON has, on a small example."""
    sides = (cs.Clustering.from_memberships({"a": [0, k], "b": [0], "c": [0], "d": [0]}) for k in (1, 2))
    labels = [("a", "b", "match"), ("c", "d", "no match")]
    sample = cs.Sample([["a", "b"], ["c"]], weights="uniform")
    both = {"ann": GOLD, "bob": PRED}
    several = {"first": PRED, "second": GOLD}
    return {
        "element": cs.elements(GOLD, PRED, documents=DOCUMENTS),
        "element of overlapping clusters": cs.elements(*sides),
        "cluster": cs.clusters(GOLD, PRED, documents=DOCUMENTS),
        "kind of error": cs.errors(GOLD, PRED),
        "cell": cs.error_cells(GOLD, PRED, documents=DOCUMENTS),
        "sampled element": cs.elements(sample, PRED),
        "sampled cluster": cs.clusters(sample, PRED),
        "sampled kind of error": cs.errors(sample, PRED),
        "sampled cell": cs.error_cells(sample, PRED),
        "change": cs.diff(GOLD, PRED).changes,
        "renamed cluster": cs.align_labels(GOLD, PRED, documents=DOCUMENTS),
        "two clusterings": cs.agreement_matrix(both),
        "measure of labelled pairs": cs.score_pairs(labels, several),
        "element to label": cs.draw_sample(PRED, 2),
        "threshold of IoU": cs.sweep(np.array([[1, 1, 2, 0]]), np.array([[1, 1, 1, 0]]), thresholds=[0.5]),
        "size of a sample": cs.plan(cs.estimate(sample, PRED, resamples=0), target=0.1),
    }


def rows() -> dict[str, Schema]:
    """The schema of each of them; those with columns named by users or metrics have any more numbers or names."""
    schemas: dict[str, Any] = {}
    for name, result in results().items():
        schema = dict(result.description().schema())
        schema["required"] = [column for column in schema["required"] if column not in OPTIONAL]
        if isinstance(result, cs.Columns):
            schema["properties"] = {**dict.fromkeys(NAMES, ANY), **schema["properties"]}  # of mentions
            if name.split()[-1] in ("element", "cluster") or name.startswith("element of overlapping"):
                schema["additionalProperties"] = {"type": ["string", "array", "null"]}  # texts, by --show
        schemas[name] = schema
    texts = {"additionalProperties": {"type": ["string", "null"]}}
    schemas["cut"] = {
        "type": "object",
        "required": ["threshold", "clusters", "largest"],
        "additionalProperties": NUMBER,
    }
    schemas["document"] = {
        "type": "object",
        "required": ["document", "elements"],
        "properties": {"document": {}},
        "additionalProperties": NUMBER,
    }
    schemas["element of several clusterings"] = {"type": "object", "required": ["element", "consistency"]}
    schemas["metric"] = {"type": "object", "required": ["metric", "group"], **texts}
    schemas["field"] = {"type": "object", "required": ["field", "about", "metrics", "average", "percent", "digits"]}
    schemas["constraint"] = {"type": "object", "required": ["constraint", "statement"], **texts}
    schemas["verdict"] = {"type": "object", "required": ["metric", "constraint", "outcome", "counterexample", "cases"]}
    return schemas


def schema() -> str:
    """The text of the file: what is written there by hand, and the rows."""
    whole = json.loads(FILE.read_text(encoding="utf-8"))
    defined = rows()
    whole["$defs"] = {name: definition for name, definition in whole["$defs"].items() if not name.startswith("row")}
    whole["$defs"]["row"] = {"anyOf": [{"$ref": f"#/$defs/row: {name}"} for name in defined]}
    whole["$defs"] |= {f"row: {name}": definition for name, definition in defined.items()}
    return _written(whole) + "\n"


def _written(value: Any, depth: int = 0) -> str:
    """JSON in which what fits into a line has one."""
    line = json.dumps(value)
    if len(line) + 2 * depth <= WIDTH or not isinstance(value, dict):
        return line
    inner = "  " * (depth + 1)
    pairs = (f"{inner}{json.dumps(key)}: {_written(item, depth + 1)}" for key, item in value.items())
    return "{\n" + ",\n".join(pairs) + "\n" + "  " * depth + "}"


if __name__ == "__main__":
    FILE.write_text(schema(), encoding="utf-8")
