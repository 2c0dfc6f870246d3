"""Claims about one attention head of a memory model: the end of section 10 of docs/certificate-format.md.

That it gives every x in R its label is shown by the rules of attention.py. That it does not is shown by one x, to which
the head is applied as it is defined: to the masked outputs G_i(x), or Gbar_i(ehat(x)) behind its prompt, which are W
times the law of the column, so that keys and values act on that law.
"""

from collections.abc import Callable, Sequence

from verify.kernel.base.exact import Scaled, Vector, Work, elementwise, inner, size
from verify.kernel.base.reading import Item, Rejected
from verify.kernel.claims import ATTENTION, Claim
from verify.kernel.hmm.heads import prompted, read_prompt
from verify.kernel.hmm.model import Model, differences, label_of
from verify.kernel.hmm.words import Tokens, forward, likelihood, read_input
from verify.kernel.memory.attention import Attention, check_embedding, check_rules, read_attention
from verify.kernel.memory.inputs_in_r import attended, check_no_input, supports_of
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory_claims import read_recoverable

Move = Callable[[Tokens, Vector, Model, Work], Vector]
EVIDENCE: dict[str, dict[str, tuple[str, ...]]] = {
    "holds": {"attention": ("scale",), "no-input-in-R": ()},
    "fails": {"mislabelled": ("input",)},
}


def check_attention_head(
    claim: dict[str, Item], raw: dict[str, object], evidence: Item, model: MemoryModel, work: Work
) -> Claim:
    """A claim about one attention head, behind its prompt if the statement has one."""
    statement = claim["statement"].one_of(*ATTENTION)
    conclusion = claim["conclusion"].one_of("holds", "fails")
    recoverable = read_recoverable(claim["recoverable"], True, model)
    head, prompt = read_attention(claim["head"], model, work), claim["prompt"]
    u = read_class(statement, head, prompt, model, work)
    kind, given = evidence.tagged(EVIDENCE[conclusion])
    lengths: tuple[int, ...] = ()
    if kind == "mislabelled":
        lengths = check_mislabelled(given["input"], head, u, model, recoverable, work)
    elif kind == "attention":
        check_rules(statement, head, prompt, given["scale"], model, recoverable, work)
    else:
        check_no_input(evidence, supports_of(model, recoverable, work), work)
    return Claim(
        kind="head",
        statement=statement,
        conclusion=conclusion,
        model_name=model.joint.name,
        raw=raw,
        vacuous=True if kind == "no-input-in-R" else None,
        lengths=lengths,
        recoverable=tuple(recoverable),
        on_r=True,
    )


def read_class(statement: str, head: Attention, prompt: Item, model: MemoryModel, work: Work) -> Scaled | None:
    """The prompt, or none for 4.3, of a head of which the statement may speak."""
    if statement == "4.3":
        if prompt.value is not None:
            raise prompt.expected("null, since 4.3 has no prompt")
        return None
    check_embedding(head, model, work)
    return read_prompt(prompt, model.joint, work)


def check_mislabelled(
    word: Item, head: Attention, u: Scaled | None, model: MemoryModel, recoverable: Sequence[int], work: Work
) -> tuple[int, ...]:
    """An x in R to which the head gives another label than the task; returns its length."""
    x = read_input(word, model.joint, work)
    if not attended(x.tokens, supports_of(model, recoverable, work), work):
        raise Rejected(word.where, "an input that is not in R", "one in R")
    if head_label(head, u, x.tokens, model, work) == x.label:
        raise Rejected(word.where, f"an input that the head labels {x.label}, as the task", "another label")
    return (x.length,)


def head_label(head: Attention, u: Scaled | None, word: Tokens, model: MemoryModel, work: Work) -> int:
    """The label that the head gives an input: score l is the sum of (value'(b_l o e_i))'a_i where it attends."""
    laws = column_laws(u, word, model, work)
    embeddings = [(head.embedding.rows[z], head.embedding.denominator) for z in word]
    if u is not None:
        embeddings.insert(0, averaged(u, model, work))
    rows = differences(head.b)
    sums, over = [0] * len(rows), 1  # the scores minus score 0, times `over` and a factor of all
    for i in attended_positions(head, laws, work):
        (e, denominator), total = embeddings[i], sum(laws[i])
        if total == 0:
            continue
        read = elementwise(head.value.times(model.emission.times(laws[i], work), work), e, work)
        values = [inner(row, read, work) for row in rows]
        work.spend(1, size(total), size(denominator))
        divisor = total * denominator
        work.spend(2 * len(sums) + 1, size(over, *sums), size(divisor, *values))
        sums = [x * divisor + v * over for x, v in zip(sums, values, strict=True)]
        over *= divisor
    return label_of(sums)


def attended_positions(head: Attention, laws: list[Vector], work: Work) -> list[int]:
    """The positions of the largest score; a_i is 0 where there is no law, and its score that of the position."""
    best: tuple[int, int] | None = None
    found: list[int] = []
    for i, law in enumerate(laws):
        own, total = head.positions[min(i, len(head.positions) - 1)], sum(law)
        key = inner(head.keys, law, work)
        work.spend(4, size(key, own, total), size(head.position_scale, head.key_scale))
        work.spend(1, size(own) + size(head.key_scale), size(total))
        above, under = key * head.position_scale + own * head.key_scale * (total or 1), total or 1
        if best is not None:
            work.spend(2, size(above, best[0]), size(under, best[1]))
        order = 1 if best is None else above * best[1] - best[0] * under
        if order > 0:
            best, found = (above, under), []
        if order >= 0:
            found.append(i)
    return found


def column_laws(u: Scaled | None, word: Tokens, model: MemoryModel, work: Work) -> list[Vector]:
    """For each position, that of the prompt first, the law of its column given the other tokens, up to a factor."""
    joint = model.joint
    after = along(word[::-1], [1] * joint.states, likelihood, joint, work)[::-1]
    before = along(word[:-1], joint.p1 if u is None else prompted(u, joint, work), forward, joint, work)
    messages = [] if u is None else [(joint.p1, after[0])]
    laws = []
    for left, right in [*messages, *zip(before, after[1:], strict=True)]:
        tau = elementwise(left, right, work)
        work.hold(len(model.emission_columns.rows), size(*tau) + 1)
        laws.append(model.collected(tau))
    return laws


def along(word: Tokens, first: Vector, move: Move, model: Model, work: Work) -> list[Vector]:
    """The messages along a word: `first`, and what each token makes of the last."""
    found = [first]
    for token in word:
        work.hold(model.states, size(*found[-1]) + size(model.step_scale))
        found.append(move((token,), found[-1], model, work))
    return found


def averaged(u: Scaled, model: MemoryModel, work: Work) -> tuple[Vector, int]:
    """phi(u): for each column the mean of u over its states, of which all have as many; and its denominator."""
    [row] = u.rows
    work.spend(len(row), u.words)
    return model.collected(row), u.denominator * (len(row) // len(model.emission_columns.rows))
