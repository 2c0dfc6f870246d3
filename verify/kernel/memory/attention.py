"""Evidence that an attention head serves every input in R: section 10 of docs/certificate-format.md.

A column c = (m, h) of W is the law of the token in the hidden state h, if the cell that h reads has the value m. Call c
a column of H* if h is in H*. A head has a key score s_c for each column, and a position score g_i for each position i.
For the label l and the token z it has the value row v_l(z) = value'(b_l o embedding[z]).

A masked output is W times the vector of the columns' probabilities, given the other tokens. So the key score of a
position is the mean of the columns' key scores by these probabilities.

*Keys.* All g_i are equal. All possible columns of H* have one key score, and all other possible columns a lower one. So
on an x in R the head attends to the positions at which only columns of H* are possible: those of Ihat(x).

*Values.* For each label l and token z, v_l(z)'W[:,c] = r mu_l[m] W[z,c] at each possible column c = (m, h) of H*, with
r > 0. For a theorem, this is required only of v_l - v_0, with mu_l - mu_0 in the place of mu_l. So what a position i of
Ihat(x) adds to score l is r times the sum over c of mu_l[m] W[x_i,c] P(c | x_-i), plus a number that is the same for
all l. With M_j* the value of the task's cell, this sum is mu_l'P[M_j*|X=x], times a positive factor that is the same
for all l. So the head gives x the label F*(x).

*Behind a prompt* u the columns are those possible behind u, and three things are new. The head must not attend to the
prompt's own position. A position may have no law: its output is 0, and its key score 0. And if x cannot follow the
prompt, the head must score all labels alike, since the task does.

Notation: verify/kernel/memory/__init__.py.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from verify.kernel.base.exact import Scaled, Vector, elementwise, size, support
from verify.kernel.base.item import Fields, Item
from verify.kernel.hmm.heads import read_prompt, read_rows
from verify.kernel.hmm.model import differences
from verify.kernel.memory.model import MemoryModel


@dataclass(frozen=True)
class Attention:
    """An attention head, with its key scores s_c and position scores g_i."""

    written: Fields  # as it stands in the certificate
    keys: Vector  # s_c, times key_scale
    key_scale: int
    positions: Vector  # g_i, times position_scale; all later positions have the last
    position_scale: int
    value: Scaled
    b: Scaled  # a row for each label
    embedding: Scaled


def read_attention(item: Item, model: MemoryModel) -> Attention:
    """Read a head; compute s_c = query'key W[:,c] and g_i = query'position_i.

    Both are multiplied by the denominator of `query`. This is harmless, as scores are only compared with each other and
    with 0.
    """
    columns, tokens, width = model.width, model.tokens, model.hidden + 1
    head = item.fields("query", "key", "position", "value", "b", "embedding")
    [query] = Scaled.of([head["query"].vector(width)], model.work).rows
    key = Scaled.of(head["key"].matrix(width, tokens), model.work)
    head["position"].must(head["position"].length() > 0, "at least one row")
    position = Scaled.of([row.vector(width) for row in head["position"].items()], model.work)
    b = read_rows(head["b"], columns, model.joint)
    return Attention(
        written=head,
        keys=model.emission_columns.times(key.transposed().times(query)),
        key_scale=model.work.product(key.denominator, model.emission.denominator),
        positions=position.times(query),
        position_scale=position.denominator,
        value=Scaled.of(head["value"].matrix(columns, tokens), model.work),
        b=b,
        embedding=Scaled.of(head["embedding"].matrix(tokens, columns), model.work),
    )


ExtraRule = Callable[[Item, Item, set[int], MemoryModel], None]  # a rule on prompt, key, and scores of columns of H*


@dataclass(frozen=True)
class Requirements:
    """The rules by which an attention head shows that a statement on R holds."""

    statement: str
    keys: bool = True
    values: bool = True
    exact: bool = False  # rules are on the values of each label, not only on differences from those of label 0
    prompted: bool = False  # there is a prompt; it must keep every possible memory with m_j* in M*
    proof: bool = False  # the prompt must be u*
    extra_rules: tuple[ExtraRule, ...] = ()

    def check_evidence(self, evidence: Item, model: MemoryModel) -> None:
        """Check that the statement holds: a head meets the rules, or R is empty."""
        kind, parts = evidence.tagged({"attention": ("head", "prompt", "scale"), "no-input-in-R": ()})
        if kind == "no-input-in-R":
            model.supports.check_no_input(evidence)
        else:
            head, prompt, scale = parts
            self.check(read_attention(head, model), prompt, scale, model)

    def check(self, head: Attention, prompt: Item, scale: Item, model: MemoryModel) -> None:
        """Check the rules. `scale` is r of *Values*; it must be a number also where that rule does not apply."""
        scale.number()
        if self.prompted:
            columns = columns_behind(prompt, self.proof, self.values, model)
        else:
            self.refuse_prompt(prompt)
            columns = model.possible_columns
        if self.keys:
            check_keys(head, columns, self.prompted, model)
        for rule in self.extra_rules:
            rule(prompt, head.written["key"], {head.keys[c] for c in model.sure(columns)}, model)
        if self.values:
            if self.prompted:
                check_embedding(head, model)
            inside = model.sure(columns)
            check_values(head, scale, inside, columns - inside if self.prompted else set(), self.exact, model)

    def refuse_prompt(self, prompt: Item) -> None:
        """Reject a prompt, as this statement has none."""
        prompt.must(prompt.value is None, f"null, since {self.statement} has no prompt")


def columns_behind(prompt: Item, proof: bool, law: bool, model: MemoryModel) -> set[int]:
    """Check a prompt u, and return the columns that are possible behind u.

    A prompt keeps a memory m if u[(m,h)] > 0 for some h. It must keep all possible memories with m_j* in M* = supp(mu).
    With `proof` it must be u* at all possible memories: 1 where m_j* is in M*, else 0. Write T for the transition of H,
    pi for P[H_0], p1 = T pi for P[H_1], and u_m for the part of u at a memory m.

    With `law`, T(u_m o p1) = y p1 for each possible memory m that is kept, with one y > 0: behind the prompt H_2 has
    the law of H_1, up to y. (u* is such a prompt if T pi = pi.) Without `law` there must be `proof`: then u_m is all
    ones, and it is enough that T p1 is positive exactly where p1 is. In both cases the hidden states that are possible
    behind the prompt are those that are possible without it.
    """
    u, n = read_prompt(prompt, model.joint), model.hidden
    blocks = {i: tuple(u.rows[0][i * n : (i + 1) * n]) for i in model.possible}
    left = [i for i, block in blocks.items() if any(block)]
    prompt.must(set(model.named) <= set(left), "a number > 0 there", "0 at a possible memory with m_j* in M*")
    if proof:
        same = left == model.named and all(set(blocks[i]) == {u.denominator} for i in left)
        prompt.must(same, "1 at possible memories with m_j* in M*, 0 at the others", "another prompt")
    if law:
        check_laws(prompt, dict.fromkeys(blocks[i] for i in left), model)
    else:
        second = support(model.chain.transition.times(model.chain.p1))
        same = support(model.chain.p1) == second
        prompt.must(same, "the states of H_1 without it", "other states of H_2 behind the prompt")
    return model.columns_of(left)


def check_laws(prompt: Item, blocks: Iterable[Sequence[int]], model: MemoryModel) -> None:
    """Check that T(u_m o p1) = y p1 for all u_m in `blocks` and one y > 0: T is the transition of H, p1 = P[H_1]."""
    p1, total = model.chain.p1, sum(model.chain.p1)
    laws = [model.chain.transition.times(elementwise(block, p1, model.work)) for block in blocks]
    masses = [sum(law) for law in laws]
    model.work.spend(3 * len(laws) * len(p1), size(*masses, *(x for law in laws for x in law)), size(total, *p1))
    alike = all(mass == masses[0] > 0 for mass in masses)
    prompt.must(alike, "one number > 0 for all memories that are left", "several masses of H_2, or none")
    for law, mass in zip(laws, masses, strict=True):
        same = all(x * total == mass * y for x, y in zip(law, p1, strict=True))
        prompt.must(same, "that of H_1 without it", "another law of H_2 behind the prompt")


def check_keys(head: Attention, columns: set[int], prompted: bool, model: MemoryModel) -> None:
    """Check *Keys*: all g_i are equal, columns of H* have one key score, and all others of `columns` a lower one.

    Behind a prompt g_0 may differ: the prompt's position must score less than any other position. The masked output is
    a mixture of `model.possible_columns` at the prompt's position, and of `columns` at another position. Where it is 0,
    the key score is 0.
    """
    position, key, inside = head.written["position"], head.written["key"], model.sure(columns)
    first, *rest = head.positions
    later = rest or [first] if prompted else head.positions
    expected = "one, from the second row on" if prompted else "query'position_i the same for all"
    alike = all(g == later[0] for g in later)
    position.must(alike, expected, "later positions of several scores" if prompted else "positions of several scores")
    best = {head.keys[c] for c in inside}
    key.must(len(best) <= 1, "one", "several scores at possible columns of H*")
    for c in sorted(columns - inside):
        less = not best or head.keys[c] < max(best)
        key.must(less, "less than at the columns of H*", f"no lower score at column {c}")
    if prompted:
        lowest = min([0, *(head.keys[c] for c in columns)])
        highest = max(head.keys[c] for c in model.possible_columns)
        model.work.spend(2, size(lowest, highest, first, later[0]), size(head.position_scale, head.key_scale))
        never = (lowest - highest) * head.position_scale > (first - later[0]) * head.key_scale
        position.must(never, "a lower score at the first row", "a prompt that may be attended to")


def check_embedding(head: Attention, model: MemoryModel) -> None:
    """Check that the embedding of each token z is W[z,:], as in the statements with a prompt."""
    W, embedding = model.emission, head.embedding
    model.work.spend(
        2 * len(W.rows) * len(W.rows[0]), W.words + embedding.words, size(W.denominator, embedding.denominator)
    )
    for z, (item, row, entries) in enumerate(
        zip(head.written["embedding"].inside(), W.rows, embedding.rows, strict=True)
    ):
        same = [x * embedding.denominator for x in row] == [x * W.denominator for x in entries]
        item.must(same, f"W[{z},:], as the head is behind a prompt", "another row")


def check_values(
    head: Attention, scale: Item, inside: set[int], outside: set[int], exact: bool, model: MemoryModel
) -> None:
    """Check *Values*: v_l(z)'W[:,c] = r mu_l[m] W[z,c] at each column c = (m, h) of H*. `scale` is r.

    `inside` has the columns of H*. With a prompt, `outside` has all other columns c that are possible behind it, and
    v_l(z)'W[:,c] must be 0 at these. Then all scores are 0 on an input x that cannot follow the prompt: if a column c
    has positive probability at a position i given the other tokens, then W[x_i,c] = 0, so c adds 0 to every score.
    Without `exact`, v_l(z) - v_0(z) takes the place of v_l(z), and mu_l - mu_0 that of mu_l.
    """
    value, place, r = head.value.transposed(), head.written["value"], scale.positive()
    numbers = (head.value.denominator, head.b.denominator, head.embedding.denominator, r.numerator)
    model.work.spend(4, sum(map(size, numbers)), max(map(size, numbers)))
    factor = math.prod(numbers)  # the denominator of v_l, times the numerator of r; that of W is on both sides
    over = model.work.product(model.mu.denominator, r.denominator)
    tasks, rows = ((m.rows if exact else differences(m)) for m in (model.mu, head.b))
    for z, e in enumerate(head.embedding.rows):
        for task, b in zip(tasks, rows, strict=True):
            answer = model.emission_columns.times(value.times(elementwise(b, e, model.work)))
            model.work.spend(4 * len(inside), size(*answer) + model.mu.words + model.emission.words, size(over, factor))
            expected = {c: task[model.split(c)[0]] * model.emission.rows[z][c] for c in inside}
            right = all(answer[c] * over == x * factor for c, x in expected.items())
            place.must(right, "r mu[m] W[z,c] at c = (m,h)", f"another value at token {z}")
            place.must(not any(answer[c] for c in outside), "0, behind a prompt", f"a value off H* at token {z}")
