"""Agreement between annotators who drew maps of the same documents, measured by TTED.

Per document: the distance matrix, the medoid as a draft of the reference, and the nodes they disagree on. Over all
documents: Krippendorff's alpha with the distance between maps as its difference function (Krippendorff 2018,
chapter 12; for complex annotations Braylan, Alonso and Lease, WWW 2022).
"""

from tted_core.annotate.agreement.collection import (
    AnnotatedDocument,
    annotators_of,
    is_collection,
    read_collection,
    read_collection_from,
    swapped,
    unpacked_collection,
)
from tted_core.annotate.agreement.consensus import (
    DIFFERENCES,
    Alpha,
    Dendrogram,
    DisputedNode,
    dendrogram,
    disputed_nodes,
    krippendorff_alpha,
    medoids,
    plane,
)
from tted_core.annotate.agreement.measure import SCORES, Agreement, DocumentAgreement, measure_agreement

__all__ = [
    "DIFFERENCES",
    "SCORES",
    "Agreement",
    "Alpha",
    "AnnotatedDocument",
    "Dendrogram",
    "DisputedNode",
    "DocumentAgreement",
    "annotators_of",
    "dendrogram",
    "disputed_nodes",
    "is_collection",
    "krippendorff_alpha",
    "measure_agreement",
    "medoids",
    "plane",
    "read_collection",
    "read_collection_from",
    "swapped",
    "unpacked_collection",
]
