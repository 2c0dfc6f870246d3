"""How a search for a counterexample is run: from the stored table to wider and wider bounds, until the time is up.

The stored table has a counterexample, which is decided anew, or a reason why there is none, or bounds within which
there is none. Beyond these bounds every small model is searched. If the user sets bounds, the search looks at exactly
the models within them.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from constructions.models import load
from constructions.reading import InputError, as_found
from constructions.text.names import choose
from verify.conclusion import Conclusion
from verify.own_statement import OwnSearch, own_search
from verify.search import stored_table
from verify.search.counterexamples import Search
from verify.search.outcomes import Hit, Outcome
from verify.search.parallel import Run
from verify.search.result import SearchResult
from verify.search.small_models import Bounds, Kind
from verify.search.without import WITHOUT
from verify.statements import STATEMENTS, find

AnySearch: TypeAlias = Search | OwnSearch

WIDENING_SECONDS = 60
"""How long bounds are widened, unless another time is set."""

FIRST_BOUNDS: dict[Kind, Bounds] = {"hmm": Bounds(3, 2, 3), "memory-hmm": Bounds(2, 2, 2)}
"""The first bounds, where the stored table has none."""


def search_for(
    statement: Any, without: str | None, assuming: Sequence[str], length: int | None, defined: bool
) -> AnySearch:
    """Return the search for a statement: the paper's, by its number, or the user's, by FILE.py:NAME or as a function.

    `without`: the hypothesis, or the part of one, that models must violate. `assuming`: the hypotheses that models must
    meet, for the user's own statement only. For a statement of the paper, `length` is the most tokens of a refuting
    input (None: `usual_length`), and `defined` means that inputs whose masked output is 0/0 do not count.

    Raises `InputError` for arguments that define no search.
    """
    if not isinstance(statement, str) or statement.rpartition(":")[0].endswith(".py"):
        return own_search(statement, assuming, without)
    statement = find(statement, STATEMENTS).id
    if assuming:
        raise InputError("assuming", f"it with {statement}", "none: a statement of the paper has its hypotheses")
    parts = [part for theorem, part in WITHOUT if theorem == statement]
    if without is None or not parts:
        what = "none" if without is None else as_found(without)
        raise InputError("without", what, f"of {statement}: {', '.join(parts) or 'none yet'}")
    without = choose(without, parts, f"of {statement}", "without")
    return Search(statement, without, length or usual_length((statement, without)), defined)


def usual_length(key: tuple[str, str]) -> int:
    """Return the default for the most tokens of a refuting input. `key`: a statement and the dropped hypothesis.

    The default is 4, or 3 for a statement on R, since a head has many ways to attend on longer inputs. If the stored
    counterexample has a longer input, the default is the length of its longest input.
    """
    stored = stored_table.cells()[key]["counterexample"]
    default = 3 if STATEMENTS[key[0]].on_r else 4
    return max([default, *map(len, stored["inputs"] if stored else ())])


def bounds_of(states: int | None, tokens: int | None, denominator: int | None) -> Bounds | None:
    """Return the bounds that the user sets, with defaults for the others; None if the user sets none."""
    if not (states or tokens or denominator):
        return None
    default = FIRST_BOUNDS["hmm"]
    return Bounds(states or default.states, tokens or default.tokens, denominator or default.denominator)


def find_counterexample(search: AnySearch, bounds: Bounds | None, run: Run) -> SearchResult:
    """Search every model within bounds. Without bounds, begin with what the stored table has, and widen its bounds.

    If the table has a counterexample that fits the search, or a reason why there is none, the result is the table's.
    Otherwise bounds are widened until there is a hit or the time is up. Without a hit, the result is about the widest
    bounds within which the search was completed; if there are none, about the first bounds, as far as the search came.
    """
    if bounds is not None:
        return search.result(bounds, run.search(search, bounds))
    stored = stored_result(search) if isinstance(search, Search) else None
    if stored and stored.remark:
        return stored
    covered, total = (stored.bounds, stored.outcome) if stored else (None, Outcome())
    while True:
        bounds = covered.wider if covered else FIRST_BOUNDS[search.about]
        outcome = run.search(search, bounds, covered)
        if outcome.hit:
            return search.result(bounds, total.then(outcome))
        if not outcome.complete:
            break
        covered, total = bounds, total.then(outcome)
    widest, total = (covered, total) if covered else (bounds, outcome)
    remark = f"the time was up at {bounds.states} states, {bounds.tokens} tokens, denominator {bounds.denominator}"
    return SearchResult(search, widest, total, remark=remark)


def stored_result(search: Search) -> SearchResult | None:
    """Return the result that the stored table has of a search; None if it has none. A counterexample is decided anew.

    No prover finds evidence of the kind `Decoys`. Such evidence is taken from the stored certificate.
    """
    cell = stored_table.cells()[search.statement, search.without]
    extent = cell["searched"] or cell["tried"]
    bounds = Bounds(*map(extent["bounds"].__getitem__, Bounds._fields))
    counts = Outcome(extent["examined"], extent["candidates"], extent.get("undecided", 0), extent["complete"])
    if cell["answer"] == "not needed":
        return SearchResult(search, bounds, counts, remark=f"not needed: {cell['reason']}")
    covered = search.length <= extent["bounds"]["length"]
    stored = (not search.defined and cell["as_zero"]) or cell["counterexample"]
    if not stored:
        return SearchResult(search, bounds, counts) if covered and search.defined >= extent["defined"] else None
    longest = max(map(len, stored["inputs"]))
    if longest > search.length or (search.defined and stored["undefined_inputs"]):
        return None
    model, task = load(stored_table.folder() / stored["certificate"])
    assert task is not None
    undecided = 0 if stored["smallest"] else counts.undecided  # none comes before the smallest
    hit = Hit(longest, model, task)
    outcome = replace(counts, undecided=undecided, complete=stored["smallest"] and covered, hit=hit)
    decoys = stored_table.decoys(stored["certificate"])
    remark = "from the stored table, decided anew here; bounds of your own search anew"
    return replace(search.result(bounds, outcome, Conclusion(False, decoys) if decoys else None), remark=remark)
