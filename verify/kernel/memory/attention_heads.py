"""Claims about one attention head of a memory model: the end of section 10 of docs/certificate-format.md.

The rules of attention.py show that a head serves every x in R. To show that it does not, one x in R is enough: the
head's label of x is computed here, and is not F*(x). A head reads masked outputs: G_i(x), or Gbar_i behind its prompt.
Each is W times a law: that of the column c = (m, h) which emits the token at position i, given the other tokens. So a
head is evaluated on these laws.

Notation: verify/kernel/memory/__init__.py.
"""

from collections.abc import Callable

from verify.kernel.base.exact import Lengths, Scaled, Tokens, Vector, Work, elementwise, inner, size
from verify.kernel.base.item import Fields, Item
from verify.kernel.hmm.heads import prompted, read_prompt
from verify.kernel.hmm.model import Model, differences, label_of
from verify.kernel.hmm.words import forward, likelihood, read_input
from verify.kernel.memory.attention import Attention, Requirements, check_embedding, read_attention
from verify.kernel.memory.model import MemoryModel

Move = Callable[[Tokens, Vector, Model], Vector]


def check_this_head(
    requirements: Requirements, claim: Fields, evidence: Item, model: MemoryModel
) -> tuple[bool, Lengths]:
    """Check a claim about one head.

    Return whether the evidence shows that R is empty, and the length of the mislabelled input, if any.
    """
    head, prompt, u = read_attention(claim["head"], model), claim["prompt"], None
    if requirements.prompted:
        check_embedding(head, model)
        u = read_prompt(prompt, model.joint)
    else:
        requirements.refuse_prompt(prompt)
    if claim["conclusion"].value == "holds":
        kind, scale = evidence.tagged({"attention": ("scale",), "no-input-in-R": ()})
        if kind == "attention":
            requirements.check(head, prompt, scale[0], model)
        else:
            model.supports.check_no_input(evidence)
        return kind == "no-input-in-R", ()
    [word] = evidence.only("mislabelled", "input")
    x = read_input(word, model.joint)
    model.supports.attended_in_r(word, x.tokens)
    differ = head_label(head, u, x.tokens, model) != x.label
    word.must(differ, "another label", f"an input that the head labels {x.label}, as the task")
    return False, (x.length,)


def head_label(head: Attention, u: Scaled | None, word: Tokens, model: MemoryModel) -> int:
    """The label that the head gives an input, behind the prompt u if there is one.

    Score l is the sum of (value'(b_l o e_i))'a_i over the positions i that the head attends to, where a_i is the output
    and e_i the embedding at position i. The position of a prompt has the index 0.
    """
    laws = column_laws(u, word, model)
    embeddings = [(head.embedding.rows[z], head.embedding.denominator) for z in word]
    if u is not None:  # phi(u): for each column the mean of u over its states, of which each column has as many
        [row] = u.rows
        model.work.spend(len(row), u.words)
        copies = len(row) // model.width
        embeddings.insert(0, (model.collected(row), u.denominator * copies))
    rows = differences(head.b)
    sums, over = [0] * len(rows), 1  # the scores minus score 0, times `over` and a factor of all
    for i in attended_positions(head, laws, model.work):
        (e, denominator), total = embeddings[i], sum(laws[i])
        if total == 0:
            continue
        read = elementwise(head.value.times(model.emission.times(laws[i])), e, model.work)
        values = [inner(row, read, model.work) for row in rows]
        divisor = model.work.product(total, denominator)
        model.work.spend(2 * len(sums) + 1, size(over, *sums), size(divisor, *values))
        sums = [x * divisor + v * over for x, v in zip(sums, values, strict=True)]
        over *= divisor
    return label_of(sums)


def attended_positions(head: Attention, laws: list[Vector], work: Work) -> list[int]:
    """The positions of the largest score. `laws`: for each position the law of the column there.

    Where this law is the vector 0, the score is the position's own score alone.
    """
    best: tuple[int, int] | None = None
    positions: list[int] = []
    for i, law in enumerate(laws):
        own_score, total = head.positions[min(i, len(head.positions) - 1)], sum(law)
        key = inner(head.keys, law, work)
        work.spend(4, size(key, own_score, total), size(head.position_scale, head.key_scale))
        work.spend(1, size(own_score) + size(head.key_scale), size(total))
        above, under = key * head.position_scale + own_score * head.key_scale * (total or 1), total or 1
        if best is not None:
            work.spend(2, size(above, best[0]), size(under, best[1]))
        order = 1 if best is None else above * best[1] - best[0] * under
        if order > 0:
            best, positions = (above, under), []
        if order >= 0:
            positions.append(i)
    return positions


def column_laws(u: Scaled | None, word: Tokens, model: MemoryModel) -> list[Vector]:
    """The law of the column at each position, given the other tokens; the prompt's position, if any, comes first.

    Each law may be multiplied by a positive factor. Where the other tokens are impossible, the vector is 0.
    """
    joint = model.joint
    after = along(word[::-1], [1] * joint.states, likelihood, joint)[::-1]
    before = along(word[:-1], joint.p1 if u is None else prompted(u, joint), forward, joint)
    messages = [] if u is None else [(joint.p1, after[0])]
    laws = []
    for left, right in [*messages, *zip(before, after[1:], strict=True)]:
        tau = elementwise(left, right, model.work)
        model.work.hold(model.width, size(*tau) + 1)
        laws.append(model.collected(tau))
    return laws


def along(word: Tokens, first: Vector, move: Move, model: Model) -> list[Vector]:
    """The messages along a word: `first`, then for each token what `move` makes of the message before."""
    messages = [first]
    for token in word:
        model.work.hold(model.states, size(*messages[-1]) + size(model.step_scale))
        messages.append(move((token,), messages[-1], model))
    return messages
