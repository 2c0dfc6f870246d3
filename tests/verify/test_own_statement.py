"""A user's own statement: the smallest model on which it fails, the models that it is given, and bad input."""

import pickle
from pathlib import Path
from typing import Any
from unittest import mock

import oracle
import pytest
from checks import label, plain, refusal, shipped
from listed_models import small

import headproof as hp
from constructions.assumptions import DECIDE
from constructions.memory.assumptions import MEMORY_DECIDE
from constructions.memory.joint_chain import joint_model, joint_task
from constructions.memory.model import Shape
from constructions.models import HMM, MemoryHMM
from constructions.reading import InputError
from constructions.tasks import Task
from verify.own_statement import OwnSearch, load, own_search
from verify.search.checkpoint import Checkpoint
from verify.search.outcomes import Hit, Outcome
from verify.search.parallel import Run
from verify.search.small_models import Bounds

SMALL = Bounds(2, 2, 2)

SOURCE = """
import headproof as hp

def the_first_token_decides(model, task):
    label = hp.labels(model, task, 2)
    return all(label[word] == label[word[:1]] for word in label)

def never(model, task):
    return 1 / 0
"""


def holds_of_all(model: HMM, task: Task) -> bool:
    return True


def the_first_token_decides(model: HMM, task: Task) -> bool:
    truth = plain(model, task)
    return all(label(truth, word) == label(truth, word[:1]) for word in oracle.inputs(truth, 2))


def placed(folder: Path, text: str = SOURCE) -> str:
    (folder / "own.py").write_text(text, encoding="utf-8")
    return f"{folder / 'own.py'}:the_first_token_decides"


def test_what_is_found_is_the_first_of_all_models_on_which_it_fails(tmp_path: Path) -> None:
    result = hp.search(placed(tmp_path), assuming=["3.1", "3.2"], states=2)
    pairs = ((model, task) for model, task in small("hmm", Bounds(2, 2, 3)) if isinstance(model, HMM))
    met = ((m, t) for m, t in pairs if oracle.assumption_3_1(plain(m)) and oracle.ergodic(plain(m)) and all(m.initial))
    model, task = next(pair for pair in met if not the_first_token_decides(*pair))
    assert result.exhaustive
    assert result.counterexample is not None
    assert (result.counterexample[0].initial, result.counterexample[0].transition, result.counterexample[1]) == (
        model.initial,
        model.transition,
        task,
    )


@pytest.mark.parametrize(
    ("assuming", "without", "satisfied", "violated"),
    [
        ((), None, (), ()),
        (("3.2",), "3.1", ("3.2:ergodic", "3.2:full-support"), ("3.1",)),
        (("3.1", "3.2"), "3.2", ("3.1",), ("3.2:ergodic", "3.2:full-support")),
        (("3.2:full-support",), "3.5", ("3.2:full-support",), ("3.5",)),
        (("3.5", "3.2"), "3.2:ergodic", ("3.5", "3.2:full-support"), ("3.2:ergodic",)),
    ],
)
def test_it_is_called_on_just_the_models_that_meet_the_hypotheses_and_violate_what_is_dropped(
    assuming: tuple[str, ...], without: str | None, satisfied: tuple[str, ...], violated: tuple[str, ...]
) -> None:
    def admissible(model: HMM, task: Task) -> bool:
        broken = [not DECIDE[key](model, task).holds for key in violated]
        return all(DECIDE[key](model, task).holds for key in satisfied) and (any(broken) or not violated)

    calls: list[tuple[HMM, Task]] = []
    Run().search(own_search(lambda model, task: calls.append((model, task)), assuming, without), SMALL)
    assert calls == [(m, t) for m, t in small("hmm", SMALL) if isinstance(m, HMM) and admissible(m, t)]


def test_an_annotation_asks_of_memory_models() -> None:
    calls: list[Any] = []

    def mine(model: hp.MemoryHMM, task: hp.MemoryTask) -> None:
        calls.append((model, task))

    assert own_search(mine, ["4.2", "4.4"]).hypotheses[2:] == ("4.4:stationary", "4.2")

    Run().search(own_search(mine, ["4.2"]), Bounds(1, 2, 2))
    problems = [problem for problem in small("memory-hmm", Bounds(1, 2, 2)) if isinstance(problem[0], MemoryHMM)]
    assert calls == [problem for problem in problems if MEMORY_DECIDE["4.2"](*problem).holds]
    assert calls


def test_a_verdict_answers_and_what_is_undecided_is_counted_and_not_called_a_counterexample() -> None:
    answers = {"holds": hp.verify("3.3", *hp.load("umbrella")), "fails": hp.verify("3.3", *hp.load("only-3-5"))}
    undecided = mock.MagicMock(spec=type(answers["holds"]), answer="undecided")
    model, task = hp.load("umbrella")

    def outcome(*return_values: Any) -> Outcome:
        left = iter(return_values)
        shard: Any = mock.Mock(shape=Shape(2, 1, 1))
        shard.models.return_value = [mock.Mock(model=model, tasks=[task] * len(return_values))]
        return own_search(lambda model, task: next(left)).examine(shard)

    assert outcome(answers["holds"], undecided, None, True) == Outcome(4, 3, 1)
    assert outcome(True, answers["fails"], True) == Outcome(2, 2, 0, hit=Hit(1, model, task))
    assert outcome(False).hit is not None


def test_two_processes_find_what_one_does_of_a_function_that_they_cannot_import(tmp_path: Path) -> None:
    search = own_search(placed(tmp_path), ["3.1"])
    alone = Run().search(search, SMALL)
    assert alone.hit is not None
    assert Run(2).search(search, SMALL) == alone


def test_it_goes_on_where_it_stopped_until_its_file_is_another(tmp_path: Path) -> None:
    place, checkpoint = placed(tmp_path), tmp_path / "checkpoint"
    first = hp.search(place, assuming=["3.1"], states=1, checkpoint=checkpoint)
    with mock.patch.object(OwnSearch, "examine", side_effect=AssertionError):
        assert hp.search(place, assuming=["3.1"], states=1, checkpoint=checkpoint).outcome == first.outcome
    with pytest.raises(InputError, match=r"search: found another search, expected a checkpoint of .* assuming 3\.2"):
        Checkpoint(checkpoint, own_search(place, ["3.2"]))
    placed(tmp_path, SOURCE + "\n")
    with pytest.raises(InputError, match="search: found another search"):
        hp.search(place, assuming=["3.1"], states=1, checkpoint=checkpoint)


def test_a_hit_of_a_checkpoint_is_true_only_if_the_function_fails_there() -> None:
    model, task = hp.load("umbrella")
    memory = hp.load("topic")
    fails = own_search(lambda model, task: False, ["3.1"])
    assert fails.confirms(Hit(1, model, task))
    assert not own_search(lambda model, task: True, ["3.1"]).confirms(Hit(1, model, task))
    assert not own_search(lambda model, task: False, (), "3.1").confirms(Hit(1, model, task))
    assert not fails.confirms(Hit(1, *memory))


def test_labels_are_f_star_of_every_input() -> None:
    for name in ("umbrella", "only-3-5"):
        model, task = shipped(name)
        truth = plain(model, task)
        assert hp.labels(model, task, 3) == {x: label(truth, x) for x in oracle.inputs(truth, 3)}
    memory, of_cell = hp.load("topic")
    assert isinstance(memory, MemoryHMM)
    truth = plain(joint_model(memory), joint_task(memory, of_cell))
    assert hp.labels(memory, of_cell, 1) == {x: label(truth, x) for x in oracle.inputs(truth, 1)}


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a function that raises": ({"statement": "never"}, r"never: found ZeroDivisionError: division by zero, expected"),
    "no answer": (
        {"statement": lambda model, task: 1},
        r"<lambda>: found int, expected True, False, a verdict, or Non",
    ),
    "no function": ({"statement": 3.3}, "statement: found float, expected the number of a statement, or a function"),
    "an unknown assumption": ({"assuming": ["3.4"]}, 'assuming: found "3.4", expected of hmm: 3.1, 3.2, 3.2:ergodic, '),
    "an unknown hypothesis": ({"without": "4.2"}, 'without: found "4.2", expected of hmm: 3.1, 3.2, 3.2:ergodic, 3.2'),
    "an assumption of the paper": ({"statement": "3.3", "assuming": ["3.1"]}, "assuming: found it with 3.3, expected"),
    "no hypothesis": ({"statement": "3.3"}, "without: found none, expected of 3.3: 3.1, "),
    "no name": ({"statement": "nobody"}, r'own.py: found no function "nobody", expected one of its own: the_first_t'),
    "a checkpoint without a source": (
        {"statement": eval("lambda model, task: True"), "checkpoint": "x"},
        "checkpoint: found a function without a source",
    ),
}


@pytest.mark.parametrize(("arguments", "line"), REFUSED.values(), ids=REFUSED)
def test_what_makes_no_sense_is_refused_in_one_line(arguments: dict[str, Any], line: str, tmp_path: Path) -> None:
    statement = arguments.get("statement", holds_of_all)
    if statement in ("never", "nobody"):
        placed(tmp_path)
        statement = f"{tmp_path / 'own.py'}:{statement}"
    assert line in refusal(hp.search, **{"states": 1, **arguments, "statement": statement})


@pytest.mark.parametrize(("text", "line"), [("1 +", "SyntaxError"), ("1 / 0", "ZeroDivisionError: division by zero")])
def test_a_file_that_does_not_run_is_complained_of(text: str, line: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"own.py: the file: found {line}"):
        load(placed(tmp_path, text))


def test_a_complaint_comes_back_from_another_process() -> None:
    complaint = InputError("here", "this", "that", "file")
    again = pickle.loads(pickle.dumps(complaint))
    assert (str(again), again.where, again.actual) == (str(complaint), "here", "this")
