"""The functions of `headproof`: models by name, verdicts, heads, one input step by step, searches.

Bad models, tasks, statements, heads and inputs are refused early. The error is an `InputError`, a `ValueError` of one
line: it says what was found where, and what was expected.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, product
from math import inf
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from constructions import models as model_files
from constructions.evidence import Word
from constructions.fields import Array
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.memory.assumptions import decide_all
from constructions.memory.attention import AttentionClassifier
from constructions.memory.joint_chain import joint_model, joint_task
from constructions.models import HMM, MemoryHMM, Model, ModelAndTask
from constructions.reading import InputError, as_found, whole_number
from constructions.tasks import MemoryTask, Task
from constructions.text.documents import parse
from constructions.text.entries import Entries, read_functionals
from constructions.text.names import read_word
from verify import comparison, outputs
from verify.built import Built
from verify.comparison import Comparison
from verify.kernel.certificate import check as kernel_check
from verify.library import purpose
from verify.prover import judge_head, prove
from verify.statements import STATEMENTS, THEOREMS, WITH_A_HEAD, Statement, about, find
from verify.verdicts import HeadVerdict, Verdict
from verify.views.explain import Explained, explained
from verify.words.effort import QUICK
from verify.words.problem import Inputs, Problem

if TYPE_CHECKING:
    from verify.margin.compared import HeadMargin
    from verify.own_statement import Predicate
    from verify.search.result import SearchResult


def load(name: str | Path) -> ModelAndTask:
    """Read a model with its task, from a file, or from the models that ship ("umbrella").

    Raises `InputError` for an unknown name, a file that is no model, and a model without a task.
    """
    if (model_and_task := model_files.with_task(model_files.load(name))) is None:
        raise InputError("task", "none", "a task in the file", str(name))
    return model_and_task


class Listing(dict[str, Any]):
    """A dictionary that prints itself as a table: each key, and what the function `says` returns for its value."""

    def __init__(self, items: Mapping[str, Any], says: Callable[[Any], str] = str) -> None:
        super().__init__(items)
        self.says = says

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{key:<{width}}  {self.says(value)}" for key, value in self.items())


def models() -> Listing:
    """Return the names of the models that ship, each with a sentence on its purpose. `load` reads such a model."""
    return Listing({name: purpose(name) for name in model_files.shipped_names()})


def statements() -> Listing:
    """Return the numbers of the paper's statements, each with its title. `verify` decides a statement.

    >>> statements()["3.3"]
    'a linear head on G computes F*'
    """
    return Listing({key: statement.title for key, statement in STATEMENTS.items()})


def assumptions(model: Model, task: Task) -> Listing:
    """Decide the assumptions on a model and a task: findings by number, each with `holds` and `evidence`.

    3.2 has two parts, 3.2:ergodic and 3.2:full-support. For an `HMM` the findings are on 3.1, both parts of 3.2, and
    3.5. For a `MemoryHMM` they are on both parts of 3.2, on 4.2, 4.4:stationary and C.5, and on 4.5 if there is one
    cell. `holds` is None if undecided. Raises `InputError` for a task that does not fit the model.

    >>> assumptions(*load("ice-cream"))
    3.1               holds  W has a left inverse
    3.2:ergodic       holds  A^1 has only positive entries
    3.2:full-support  holds  every state can be H_0
    3.5               holds  B = {cold} reaches H* = {cold, hot}
    """
    _check_task(model, task)
    words = {True: "holds", False: "fails", None: "undecided"}
    findings = {finding.id: finding for finding in decide_all(model, task)}
    return Listing(findings, lambda finding: f"{words[finding.holds]}  {finding.sentence(model)}")


def verify(statement: str, model: Model, task: Task, *, quick: bool = False) -> Verdict:
    """Decide a statement of the paper on a model and a task, over all inputs of every length.

    `statement`: its number as in `statements()`, in any spelling: "3.3", "thm 3.3". `quick`: try less, for some
    hundredths of a second. That suffices for most small models; other verdicts are undecided. The `Verdict` has
    `holds`, `counterexample`, `certificate(path)` and `check()`; `print` shows it as the command does.

    Raises `InputError` for an unknown statement, for a task that does not fit the model, and for a model of the other
    kind: 3.3 and 3.6 are about an `HMM`, 4.3, 4.6 and C.6 about a `MemoryHMM`.

    >>> verify("3.3", *load("only-3-5"))
    Verdict(3.3 on only-3-5: not-applicable)
    >>> verify("3.3", *load("only-3-5")).counterexample  # no head serves both of these inputs
    ((0,), (1,))
    """
    return prove(_statement(statement, model, task), model, task, QUICK if quick else None)


def build(statement: str, model: Model, task: Task) -> Built:
    """Return the head of a theorem's verdict: the paper's, or another head where the theorem's hypotheses fail.

    In 4.6 and C.6 the paper's position embedding beta_1 is replaced by one that works.

    `statement`: 3.3, 3.6, 4.3, 4.6 or C.6. The head's parts are attributes, by the paper's names: see `Built`. Where
    there is no head, `reason` says why. Raises `InputError` as `verify` does, and for a statement about no head.

    >>> build("3.3", *load("healthy-fever")).D
    [10/9    0]
    [   0  5/6]
    """
    return prove(_statement(statement, model, task, heads=True), model, task).built


def margin(
    statement: str,
    model: Model,
    task: Task,
    *,
    seconds: float = 30,
    nodes: int | None = None,
    left_out: Fraction | str | None = None,
) -> list[HeadMargin]:
    """Return which errors of a learned G change no label, on inputs of every length, for three heads.

    The three heads are that of 3.3 or 3.6, one of least norm and one of largest margin, behind the same prompt. The
    `classifier` of a head that is not found is None. A learned model outputs some Ghat in the place of G. Its error is
    the largest |Ghat - G| of an entry of G_1(E, x), or of Gbar_2 if there is a prompt. Errors are exact, in units of
    probability. For each head, every error of the learned model below `certified.error` is proved to change no label,
    except at ties and at inputs that are left out; `certificate` has the proof.

    `seconds`: how long to search, for all heads together. `nodes`, in place of `seconds`: how many prefixes to look at
    for each head. `left_out`: the share of inputs to leave out. Without it, the shares 0, 1/1000, 1/100, 1/20, 1/10,
    1/5 and 1/2 are tried, until one serves to certify an error. If none of these serves, or a given share does not, a
    larger share is left out, as small as the search allows. `certified.left_out` is the share that was left out.

    Raises `InputError` for another statement, if there is no head, and for what `verify` refuses. Not in the paper:
    docs/margin.md.
    """
    from verify.margin.compared import Limits, compare

    theorem, limits = _statement(statement, model, task, heads=True), Limits.of(nodes, seconds, left_out, "left_out")
    if not isinstance(model, HMM):
        raise InputError("statement", statement, "3.3 or 3.6, whose heads are linear")
    built = prove(theorem, model, task).built
    if not isinstance(built.classifier, Classifier):
        raise InputError("model", f"no head: {built.reason}", "one with a head")
    return list(compare(model, task, built.classifier, "as built", limits))


def explain(statement: str, model: Model, task: Task, input: str | Iterable[Any]) -> Explained:
    """Follow one input step by step: messages, outputs, scores, the label F* and the head's label.

    `input`: the names of its tokens as one text, with commas or spaces between, or a sequence of names and indices.
    Probabilities are exact. For an `HMM` the steps have the messages of appendix B. For a `MemoryHMM` the result has
    `in_r`, whether the input is in R, and each step has `in_ihat`. Raises `InputError` as `verify` does, for a token
    that is unknown, and for an input that is empty or has probability 0.
    """
    theorem, word = _statement(statement, model, task, heads=True), read_word(input, model.tokens, "input")
    return explained(prove(theorem, model, task), word)


def judge(model: Model, task: Task, head: Entries | AttentionClassifier, u: Entries | None = None) -> HeadVerdict:
    """Decide whether a head of your own gives every input of every length its label F*; with memory, every input in R.

    For an `HMM`, `head` is b in exact numbers: (k,) for two labels, or (K, k) with a row for each label. It reads
    G_1(E, x), or with a prompt `u`, (n,), it reads Gbar_2. For a `MemoryHMM`, `head` is an `AttentionClassifier`, such
    as the `classifier` of what `build` returns. Theorems 3.3, 3.6, 4.3, 4.6 and C.6 are about these heads. Raises
    `InputError` as `verify` does, for floats, for entries of `u` outside [0, 1], and for a head or a prompt of another
    size.

    >>> model, task = load("umbrella")
    >>> judge(model, task, "2 -1").counterexample.input
    (1,)
    >>> judge(model, task, build("3.3", model, task).b).holds
    True
    """
    if isinstance(head, AttentionClassifier):
        _statement("4.3", model, task)
        if u is not None:
            raise InputError("u", "a prompt", "none: an attention head has its own")
    else:
        _statement("3.3", model, task)
        head = Classifier(LinearHead(read_functionals(head, "b")), None if u is None else SoftPrompt.of(u))
    documents = (parse(json.dumps(part)) for part in head.documents)  # as in a file, whose reader checks that all fits
    reader: Any = type(head)
    return judge_head(model, task, reader.from_node(*documents, model, task))


def check(certificate: str | Path) -> str:
    """Let the kernel alone check a certificate file, and return as a sentence the claim that the kernel accepts.

    The command is `headproof check FILE`. Raises `ValueError`, which names the place, if the claim does not follow.
    Raises `OSError` if the file cannot be read.
    """
    return kernel_check(Path(certificate).read_bytes()).sentence()


def compare(model: Model, task: Task, head: Built | Entries, lm: Any, X: Any = None) -> Comparison:
    """Compare a language model with exact G, and F* with the labels of a linear head that reads the language model.

    `right` is the share of inputs to which this head gives the label F*. `must_be_right` is the share of inputs for
    which two things hold: the head gives the label F* when it reads exact G, and the language model's error is too
    small to change this label. All figures are floats, without proof.

    `lm`: a masked language model of Hugging Face's `transformers`, whose vocabulary is the k tokens and then [MASK]; or
    a function from token indices (count, t), int64, to log-probabilities (count, t, k), an array or a tensor. At each
    position they are the log-probabilities of the k tokens when only the token at this position is masked. The function
    is called twice: with X, and with one more token before each input, in the place of E. `head`: the result of `build`
    for 3.3, or your own rows b, (k,) or (K, k), also in floats; it reads G_1(E, x). `X` (count, t): the inputs, by
    default 1,000 of 16 tokens drawn from the model.

    KL(G || lm) is in nats. Raises `InputError` as `verify` does, for a head of another kind
    or of another model, and for an `lm` that does not return log-probabilities of this shape.

    >>> model, task = load("umbrella")
    >>> uniform = lambda X: np.full((*X.shape, 2), np.log(1 / 2))
    >>> compare(model, task, build("3.3", model, task), uniform)
    Comparison(1,000 inputs: KL 0.0421 nats, labels right 47.9%, must be right 47.9%)
    """
    _statement("3.3", model, task)
    assert isinstance(model, HMM)
    inputs = model.sample(1_000, 16) if X is None else outputs.read(model, outputs.on_cpu(X)).astype(np.int64)
    return comparison.compare(model, task, comparison.read_head(head, model, task), lm, inputs)


def ihat(model: Model, task: Task, X: Any) -> Array:
    """Return which positions of inputs X (count, t) of token indices are in Ihat: bool (count, t).

    Position i is in Ihat if the other tokens leave no doubt that H_i is in H*: supp(P[H_i | X_-i = x_-i]) lies in H*.
    H* is the first of these that exists:

    - the H* that meets assumption 4.2, `build("4.3", ...).H_star`
    - the task's own H*
    - the largest H* that meets 4.2 once the columns of W that cannot occur are left out of W
    - all states of the task's cell

    An input is in R iff some position of it is in Ihat. An input of probability 0 has no position in Ihat. Section 4.1
    and lemma C.2 of the paper. Raises `InputError` as `verify` does, and unless X has token indices.

    >>> model, task = load("topic")
    >>> ihat(model, task, [[0, 3], [3, 0]])
    array([[False,  True],
           [False, False]])
    >>> ihat(model, task, [[0, 3], [3, 0]]).any(1)  # which are in R
    array([ True, False])
    """
    problem: Any = _statement("4.3", model, task).problem(model, task)
    tokens = outputs.read(model, outputs.on_cpu(X))
    members = np.zeros(tokens.shape, dtype=bool)
    for row, word in zip(members, tokens.tolist(), strict=True):
        row[list(problem.recoverable.membership(word).positions)] = True
    return members


@overload
def labels(model: Model, task: Task, X: int, exact: bool = False) -> dict[Word, int]: ...


@overload
def labels(model: Model, task: Task, X: Array, exact: bool = False) -> Array: ...


def labels(model: Model, task: Task, X: Any, exact: bool = False) -> Any:
    """Return F* of inputs X (count, t) of token indices: int64 (count,). Equation 3.1 of the paper, and section 4.

    In floats rounding may break a tie; with `exact` it does not. An input of probability 0 gets the last label. If X is
    a number: return a dictionary with the exact F* of every input of positive probability and at most X tokens, shorter
    inputs first. Raises `InputError` for a task that does not fit the model, and unless X is a number or token indices.
    """
    _check_task(model, task)
    if not np.isscalar(X):
        return outputs.labels(model, task, X, exact)
    longest = whole_number("X", X)
    inputs, tokens = Inputs(Problem(joint_model(model), joint_task(model, task))), range(len(model.tokens))
    words = chain.from_iterable(product(tokens, repeat=n) for n in range(1, longest + 1))
    return {word: input_.label for word in words if (input_ := inputs.of(word))}


def search(
    statement: str | Predicate,
    without: str | None = None,
    *,
    assuming: Sequence[str] = (),
    states: int | None = None,
    tokens: int | None = None,
    denominator: int | None = None,
    length: int | None = None,
    defined: bool = False,
    jobs: int = 1,
    client: Any = None,
    checkpoint: str | Path | None = None,
    timeout: float | None = None,
) -> SearchResult:
    """Find the smallest model that meets all hypotheses of a statement but one, and on which no head will do.

    `statement`: the number of a theorem. `without`: the hypothesis, or the part of one, that the model violates.
    `statement` may also be your own: a function of a model and a task that returns whether the statement holds, a
    `Verdict`, or None where the statement does not apply. Then the search finds the smallest model on which the
    statement fails. That model meets the hypotheses `assuming` and violates `without`, if these are set.

    Results for theorems are stored. Without bounds, a stored result is returned if it settles the search. Otherwise
    bounds are widened for `timeout` seconds, by default 60. With bounds the search ends after `timeout` seconds, by
    default never. The bounds are the numbers of `states` (default 3) and `tokens` (default 2), and the `denominator`
    (default 3) of all probabilities. If one of them is set, the search looks at every model within all three. The
    inputs that refute a theorem have at most `length` tokens: by default 4, or 3 for a theorem about R, and more if the
    stored counterexample has longer inputs. With `defined`, inputs do not count if all masked outputs that heads read
    on them are 0/0.

    `jobs`: how many processes share the work. `client`: a Dask client, whose cluster shares the work. `checkpoint`: a
    file, from which an interrupted search goes on. Raises `InputError` for arguments that define no search.
    """
    from verify.search.checkpoint import Checkpoint
    from verify.search.parallel import Run
    from verify.workbench import WIDENING_SECONDS, bounds_of, find_counterexample, search_for

    numbers = {"states": states, "tokens": tokens, "denominator": denominator, "length": length, "jobs": jobs}
    for key, value in numbers.items():
        if value is not None:
            whole_number(key, value)
    statement_search = search_for(statement, without, assuming, length, defined)
    bounds = bounds_of(states, tokens, denominator)
    seconds = WIDENING_SECONDS if timeout is None and bounds is None else timeout
    progress = None
    if checkpoint is not None:
        if not statement_search.source:
            expected = "one that stands in a file, where changes are seen"
            raise InputError("checkpoint", "a function without a source", expected)
        progress = Checkpoint(Path(checkpoint), statement_search)
    run = Run(jobs, client, progress, inf if seconds is None else time() + seconds)
    return find_counterexample(statement_search, bounds, run)


def _statement(name: str, model: Any, task: Any, heads: bool = False) -> Statement:
    """Return a statement by its number. Raises `InputError` unless it is about such a model, and the task fits it."""
    statement = find(name, THEOREMS, WITH_A_HEAD) if heads else find(name, STATEMENTS)
    _check_task(model, task, statement)
    return statement


def _check_task(model: Any, task: Any, statement: Statement | None = None) -> None:
    """Raise `InputError` unless the task fits the model, and `statement`, if given, is about such models."""
    if not isinstance(model, Model):
        raise InputError("model", as_found(model), "an HMM or a MemoryHMM")
    memory = model.shape if isinstance(model, MemoryHMM) else None
    if statement and not about(statement, model):
        kind, expected = ("a MemoryHMM", "an HMM") if memory else ("an HMM", "a MemoryHMM")
        raise InputError("model", kind, f"{expected}, which {statement.id} is about")
    task_type: type[Any] = MemoryTask if memory else Task
    if type(task) is not task_type:
        name = task_type.__name__
        raise InputError("task", as_found(task), f'a {name}, as in {name}.of("1 -1")')
    of, length = ("value", memory.values) if memory else ("state", len(model.states))
    if len(task.mu[0]) != length:
        raise InputError("mu", f"{len(task.mu[0])} entries", f"{length}, one for each {of}")
    if memory:
        if task.cell >= memory.cells:
            raise InputError("cell", str(task.cell), f"less than {memory.cells}, the number of cells")
        for state in task.recoverable or ():
            if not 0 <= state < memory.syntax:
                raise InputError("recoverable", str(state), f"syntax states from 0 to {memory.syntax - 1}")
