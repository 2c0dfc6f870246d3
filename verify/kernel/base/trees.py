"""Trees written as lists of nodes, as sections 4, 5 and 6 of docs/certificate-format.md use them.

Each node but the first is the child of exactly one node, which stands before it. Going through the list once in order
therefore meets every node after its parent, with the state (a word, a region, ...) that the parent handed down; there
is no recursion, and no case that a parent promises to treat is left out.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

from verify.kernel.base.item import Item, Rejected

State = TypeVar("State")


def walk(nodes: Item, root: State, step: Callable[[Item, State], Iterable[tuple[Item, State]]]) -> None:
    """Calls step(node, state) for every node; it returns the children, as the items holding their indices."""
    listed = nodes.items()
    if not listed:
        raise nodes.expected("at least one node")
    waiting = {0: root}
    for i, node in enumerate(listed):
        if i not in waiting:
            raise Rejected(node.where, "a child of no node", "the child of exactly one node before it")
        for child, state in step(node, waiting.pop(i)):
            index = child.integer(i + 1, len(listed) - 1)
            if index in waiting:
                raise child.expected("a node that is no other node's child")
            waiting[index] = state
