"""Coreference: files of documents, entities and mentions, and two of them side by side."""

from clusterscore.read.coreference.file import CorefDocument, CorefFile
from clusterscore.read.coreference.pair import PairedCoreference, pair_coreference
from clusterscore.read.coreference.reading import FORMS, read_coreference

__all__ = ["FORMS", "CorefDocument", "CorefFile", "PairedCoreference", "pair_coreference", "read_coreference"]
