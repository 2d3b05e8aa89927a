"""The best one-to-one alignment of gold and predicted clusters."""

from __future__ import annotations

import numpy as np

from clusterscore.distinct import Array, Ints


def best_alignment(gold: Array, pred: Array, weight: Array, shape: tuple[int, int]) -> Ints:
    """Which cells to choose so that no cluster is used twice and the weights add up to the most.

    A cell that is the only one of both its clusters is chosen outright. The rest is one sparse assignment over the
    overlap graph, which falls apart into its connected components by itself. Each gold cluster may also stay alone: it
    has a partner of its own with weight 1, and real cells weigh one more than they say, so a full matching exists.
    """
    lone = (np.bincount(gold, minlength=shape[0])[gold] == 1) & (np.bincount(pred, minlength=shape[1])[pred] == 1)
    chosen, open_cells = np.flatnonzero(lone), np.flatnonzero(~lone)
    if not len(open_cells):
        return chosen
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    rows, row = np.unique(gold[open_cells], return_inverse=True)
    partners, column = np.unique(pred[open_cells], return_inverse=True)
    own = np.arange(len(rows))
    cost = np.concatenate([weight[open_cells] + 1.0, np.ones(len(rows))])
    graph = csr_array(
        (cost, (np.concatenate([row, own]), np.concatenate([column, len(partners) + own]))),
        shape=(len(rows), len(partners) + len(rows)),
    )
    left, right = min_weight_full_bipartite_matching(graph, maximize=True)
    partner = np.full(len(rows), -1)
    partner[left] = right
    return np.concatenate([chosen, open_cells[partner[row] == column]])
