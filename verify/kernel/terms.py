"""Terms over matrices of unspecified size: section 13 of docs/certificate-format.md, its grammar and its types.

    sum      = hadamard (("+" | "-") hadamard)*
    hadamard = product ("o" product)*                  the elementwise product
    product  = factor factor*                          the matrix product
    factor   = (name | name"(" sum ("," sum)* ")" | "(" sum ")") "'"*

Operators associate to the left, ' is the transpose, and a bracket right after a name (no space) holds its arguments.
The type of a matrix is a pair of index names, the second of them "1" for a vector and both for a scalar; the type of
anything else, such as a word, is the name of its sort.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

MAX_TEXT = 2000
MAX_DEPTH = 60
TOKEN = re.compile(r"\s*([A-Za-z0-9_]+\(?|[()',+-])")
NAME = re.compile(r"[A-Za-z0-9_]+")
UNIT = "1"
INFIX = {"+": "add", "-": "sub"}
OPERATIONS = frozenset(("mul", "had", "add", "sub", "tr", "diag", "inv", "norm", "label", "one", "zero", "id"))
SORTS = ("index", "time", "token", "word", "past")

Type: TypeAlias = str | tuple[str, str]


class Term(NamedTuple):
    """A symbol or an operation, and what it is applied to."""

    op: str
    args: tuple["Term", ...] = ()


class Signature(NamedTuple):
    """The index names; of each symbol, the types of its arguments and of its result."""

    indices: frozenset[str]
    symbols: Mapping[str, tuple[tuple[Type, ...], Type]]

    def extended(self, variables: Mapping[str, Type]) -> "Signature":
        """The same with variables, which take no arguments."""
        return Signature(self.indices, {**self.symbols, **{name: ((), kind) for name, kind in variables.items()}})


# Text


def parse(text: str) -> Term:
    """The term that a text writes. ValueError: it writes none."""
    if len(text) > MAX_TEXT:
        raise ValueError(f"more than {MAX_TEXT} characters")
    words, end = [], 0
    while match := TOKEN.match(text, end):
        words.append(match.group(1))
        end = match.end()
    if text[end:].strip():
        raise ValueError(f"{text[end:].strip()[:10]!r} in a term")
    left = words[::-1]
    term = parse_sum(left, 0)
    if left:
        raise ValueError(f"{left[-1]!r} where a term has ended")
    todo = [(term, 1)]
    while todo:
        inside, depth = todo.pop()
        if depth > MAX_DEPTH:
            raise ValueError(f"a term deeper than {MAX_DEPTH}")
        todo += [(arg, depth + 1) for arg in inside.args]
    return term


def parse_sum(left: list[str], depth: int) -> Term:
    """Takes a sum off the end of `left`, where the text begins."""
    term = parse_hadamard(left, depth)
    while left and left[-1] in INFIX:
        term = Term(INFIX[left.pop()], (term, parse_hadamard(left, depth)))
    return term


def parse_hadamard(left: list[str], depth: int) -> Term:
    """Products with o between them."""
    term = parse_product(left, depth)
    while left and left[-1] == "o":
        left.pop()
        term = Term("had", (term, parse_product(left, depth)))
    return term


def parse_product(left: list[str], depth: int) -> Term:
    """Factors side by side."""
    term = parse_factor(left, depth)
    while left and left[-1] != "o" and left[-1] not in "),'+-":
        term = Term("mul", (term, parse_factor(left, depth)))
    return term


def parse_factor(left: list[str], depth: int) -> Term:
    """A name, with its arguments if a bracket follows, or a term in brackets; and its transposes."""
    word = left.pop() if left else "the end"
    if depth > MAX_DEPTH:
        raise ValueError(f"brackets deeper than {MAX_DEPTH}")
    if word == "(":
        term = parse_sum(left, depth + 1)
        take(left, ")")
    elif word.endswith("("):
        term = Term(word[:-1], tuple(parse_arguments(left, depth + 1)))
    elif NAME.fullmatch(word) and word != "o":
        term = Term(word)
    else:
        raise ValueError(f"{word!r} where a term begins")
    while left and left[-1] == "'":
        left.pop()
        term = Term("tr", (term,))
    return term


def parse_arguments(left: list[str], depth: int) -> list[Term]:
    """What stands between the brackets after a name."""
    found = [parse_sum(left, depth)]
    while left and left[-1] == ",":
        left.pop()
        found.append(parse_sum(left, depth))
    take(left, ")")
    return found


def take(left: list[str], word: str) -> None:
    """Takes off this word."""
    found = left.pop() if left else "the end"
    if found != word:
        raise ValueError(f"{found!r} instead of {word!r}")


# Types


def type_of(term: Term, signature: Signature) -> Type:
    """The type of a term. ValueError: it has none."""
    op, args = term
    if op in ("one", "zero", "id") and len(args) == 1 and not args[0].args and args[0].op in signature.indices:
        return (args[0].op, args[0].op if op == "id" else UNIT)
    types = tuple(type_of(arg, signature) for arg in args)
    found = signature.symbols.get(op)
    result = combined(op, types) if found is None else found[1] if found[0] == types else None
    if result is None:
        raise ValueError(f"{op} of ({', '.join(map(written, types))})")
    return result


def combined(op: str, types: tuple[Type, ...]) -> Type | None:
    """The type of an operation on matrices of these types, if they fit."""
    match op, types:
        case "mul", ((rows, inner), (middle, columns)) if inner == middle:
            return (rows, columns)
        case "had" | "add" | "sub", ((_, _) as left, right) if left == right:
            return left
        case "tr", ((rows, columns),):
            return (columns, rows)
        case "diag", ((rows, "1"),):
            return (rows, rows)
        case "inv", ((_, "1") as kind,):
            return kind
        case "norm" | "label", ((_, "1"),):
            return (UNIT, UNIT)
    return None


def written(kind: Type) -> str:
    """A type as text: a sort, "scalar", "I" for a vector, "I x J"."""
    if isinstance(kind, str):
        return kind
    return "scalar" if kind == (UNIT, UNIT) else kind[0] if kind[1] == UNIT else " x ".join(kind)


def read_type(text: str, indices: Sequence[str] | frozenset[str]) -> Type:
    """The type that a text writes. ValueError: it writes none."""
    if text in SORTS:
        return text
    names = [UNIT, UNIT] if text == "scalar" else text.split(" x ") if " x " in text else [text, UNIT]
    if len(names) != 2 or not all(name in indices or name == UNIT for name in names):
        raise ValueError(f"{text!r} is not a type")
    return (names[0], names[1])


# Parts


def substitute(term: Term, values: Mapping[str, Term]) -> Term:
    """The term with values for names, all at once. Nothing binds a name, so that nothing is captured."""
    if not term.args:
        return values.get(term.op, term)
    return Term(term.op, tuple(substitute(arg, values) for arg in term.args))


def part(term: Term, place: Sequence[int]) -> Term:
    """The part at a place, a list of numbers of arguments. ValueError: there is none."""
    for i in place:
        if not 0 <= i < len(term.args):
            raise ValueError(f"an argument {i} of {term.op}")
        term = term.args[i]
    return term


def replaced(term: Term, place: Sequence[int], new: Term) -> Term:
    """The term with another part at a place that it has."""
    if not place:
        return new
    i, *rest = place
    return Term(term.op, (*term.args[:i], replaced(term.args[i], rest, new), *term.args[i + 1 :]))


def factors(term: Term, op: str) -> list[Term]:
    """What an operation combines, whatever the brackets: a, b, c of (a b) c and of a (b c)."""
    return [one for arg in term.args for one in factors(arg, op)] if term.op == op else [term]
