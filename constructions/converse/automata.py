"""Models on which a head exists iff a probabilistic automaton accepts no word with probability above 1/2.

**Why.** Let w be a word of letters. An input that begins with $w# has the score 1/2 - P(the automaton accepts w), up to
a positive factor. Every other input has label 1. At the masked position, all inputs that begin with $ have the same
output, behind any prompt as well. So a linear head computes F*, with or without a prompt, iff no w is accepted with
probability above 1/2. No algorithm decides whether this is so: it is the emptiness problem of probabilistic automata
(Paz 1971; Condon and Lipton 1989; Rote, arXiv 2412.05198, for a fixed automaton of seven states).

**The model.** It meets 3.2, and its start is stationary. Its states, each with the token that it always emits:

- Z emits z and leads to s or r, each with probability 1/2. s and r emit o. s leads to e_s, and r to e_r. e_s and e_r
  emit $.
- A state (q, a) has read the letter a, which it emits, and stands for the automaton's state q. e_s stands for the
  start.
- From e_s and each (q, a), the word goes on with probability 1/2: the next letter is drawn uniformly, and the automaton
  moves. Otherwise the word ends: with # if q accepts, and with ! if not.
- From e_r the letters follow in the same way. Where the word ends, # follows with probability 1/4, and ! with 3/4.
- # and ! lead to Z.

In Rocq: `heads_and_automata`, `automaton_model`.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from constructions.hidden_chain import check_columns, check_shape, stationary_laws
from constructions.hmm import HMM
from constructions.linear import Matrix, combine, identity, spread, transpose
from constructions.reading import InputError
from constructions.tasks import Task
from constructions.text.entries import Entries, read_matrix

HALF = Fraction(1, 2)

Place: TypeAlias = tuple[str, int, str]
"""A state of the model: its side or name, the automaton's state for which it stands (or 0), and the token it emits."""

HUB, ACCEPT, REJECT = ("Z", 0, "z"), ("#", 0, "#"), ("!", 0, "!")
SIDES = (("s", 0, "o"), ("r", 0, "o"))


@dataclass(frozen=True)
class Automaton:
    """A probabilistic automaton: a matrix for each letter, `accepting` states, and the start, state 0.

    `moves` has a matrix (n, n) for each letter. Column q is the law of the state after the letter is read in state q.
    Raises `InputError` if there is no letter, if a letter is z, o, $, # or !, if a matrix is not (n, n), if a column
    is not a distribution, and if an accepting state is not one of 0, ..., n - 1.
    """

    moves: dict[str, Matrix]
    accepting: frozenset[int]

    def __post_init__(self) -> None:
        """Validate."""
        if not self.moves or not {"z", "o", "$", "#", "!"}.isdisjoint(self.moves):
            raise InputError("moves", ", ".join(self.moves) or "no letter", "letters other than z, o, $, # and !")
        for letter, matrix in self.moves.items():
            check_shape(f"moves[{letter}]", matrix, self.size, self.size)
            check_columns(f"moves[{letter}]", matrix, list(map(str, range(self.size))))
        if not self.accepting <= set(range(self.size)):
            raise InputError(
                "accepting", ", ".join(map(str, sorted(self.accepting))), f"states from 0 to {self.size - 1}"
            )

    @classmethod
    def of(cls, accepting: Sequence[int], **moves: Entries) -> Automaton:
        """Read an automaton: `Automaton.of([1], a="1/2 0; 1/2 1")`, rows parted by semicolons."""
        return cls({letter: read_matrix(matrix, letter) for letter, matrix in moves.items()}, frozenset(accepting))

    @property
    def size(self) -> int:
        """The number of states."""
        return len(next(iter(self.moves.values())))

    def acceptance(self, word: Sequence[str]) -> Fraction:
        """Return the probability that the word is accepted."""
        law = identity(self.size)[0]
        for letter in word:
            law = combine(law, transpose(self.moves[letter]))
        return sum((law[q] for q in self.accepting), Fraction(0))


def build(automaton: Automaton) -> tuple[HMM, Task]:
    """Build the model, with only the states that can be reached, and the task."""
    places: list[Place] = [HUB]
    for place in places:
        places += [to for to in steps(automaton, place) if to not in places]
    laws = [steps(automaton, place) for place in places]
    transition = tuple(tuple(law.get(to, Fraction(0)) for law in laws) for to in places)
    [start] = stationary_laws(transition)
    tokens = ("z", "o", "$", *automaton.moves, "#", "!")
    emission = tuple(tuple(Fraction(place[2] == token) for place in places) for token in tokens)
    names = tuple(f"{side}{q} {token}" for side, q, token in places)
    s, r = map(places.index, SIDES)
    mu = spread((-1 / start[s], 2 / start[r]), (s, r), len(places))
    return HMM(start, transition, emission, names, tokens, "automaton"), Task((mu,))


def steps(automaton: Automaton, place: Place) -> dict[Place, Fraction]:
    """Return the law of the state that follows a state, as a dictionary of the positive probabilities."""
    side, q, _ = place
    if place == HUB:
        return dict.fromkeys(SIDES, HALF)
    if place in (ACCEPT, REJECT):
        return {HUB: Fraction(1)}
    if place in SIDES:
        return {(side, 0, "$"): Fraction(1)}
    moves, accepted = automaton.moves, Fraction(q in automaton.accepting)
    if side == "r":  # an automaton of one state, which accepts each word with 1/4
        moves, accepted = dict.fromkeys(moves, identity(1)), HALF / 2
    share = HALF / len(moves)
    law = {(side, to, letter): share * row[q] for letter, matrix in moves.items() for to, row in enumerate(matrix)}
    law |= {ACCEPT: HALF * accepted, REJECT: HALF * (1 - accepted)}
    return {to: p for to, p in law.items() if p}
