"""The second checker: alone, beside the kernel on every certificate there is, and on certificates that are false."""

import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from altering import GONE, altered
from both_checkers import ONE_ONLY, both, second
from by_hand import BY_HAND, FILES, by_hand
from checks import SOME
from head_certificates import HALVED, RIGHT, head, head_claim
from hypothesis import given
from hypothesis import strategies as st
from memory_certificates import MARKED, SWAP_NOTES

from constructions.memory.model import MemoryHMM
from constructions.models import from_node
from constructions.reading import parse
from verify import library, second_checker
from verify.certificates import model_document, statement_certificate
from verify.prover import prove
from verify.statements import STATEMENTS, about
from verify.strategies import memory
from verify.words.effort import EFFORT, USUAL

ROOT = Path(second_checker.__file__).parents[1]
THEOREMS = ("3.3", "3.6", "4.3", "4.6", "C.6")
STORED = [*(ROOT / "docs/certificates").glob("*.json"), *(ROOT / "results/necessity/certificates").glob("*.json")]
COUNTEREXAMPLES = sorted((ROOT / "tests/counterexamples").glob("*.json"))
MADE = [name for name in BY_HAND if name not in (*FILES["lemmas"], *FILES["margins"])]


# --- both checkers on every certificate


@pytest.fixture(scope="module")
def shipped() -> dict[str, str]:
    """The certificates that `headproof verify` writes of the theorems on the shipped models."""
    hardly = ("appendix-d-30", "3.6")  # undecided with all effort too, which test_library shows in 20 s
    return {
        f"{model.name} {name}": json.dumps(
            statement_certificate(
                prove(STATEMENTS[name], model, task, EFFORT if (model.name, name) == hardly else USUAL)
            )
        )
        for model, task in library.shipped()
        for name in THEOREMS
        if about(STATEMENTS[name], model)
    }


@pytest.mark.thorough(reason="proving the theorems takes half a minute; stored certificates are quick")
def test_both_accept_every_theorem_on_every_shipped_model(shipped: dict[str, str]) -> None:
    assert {name.split()[1] for name in shipped} == set(THEOREMS)
    assert {name: both(text) for name, text in shipped.items()} == {name: {"accepted"} for name in shipped}


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_both_accept_every_stored_certificate_but_the_lemmas(path: Path) -> None:
    text = path.read_text()
    is_theorem = json.loads(text)["claim"]["statement"] in THEOREMS
    assert both(text) == ({"accepted"} if is_theorem else {"accepted", ONE_ONLY})


@pytest.mark.parametrize("path", COUNTEREXAMPLES, ids=lambda path: path.stem)
def test_both_accept_what_is_proved_of_every_known_counterexample(path: Path) -> None:
    told = json.loads(path.read_text())
    if told["expect"] == "genuine":
        verdict = prove(STATEMENTS[told["statement"]], *from_node(parse(json.dumps(told["model"]))))
        assert both(json.dumps(statement_certificate(verdict))) == {"accepted"}


@pytest.mark.parametrize("name", MADE)
def test_both_accept_every_certificate_written_by_hand_but_the_lemmas(name: str) -> None:
    document = by_hand(name)
    assert both(json.dumps(document)) == {
        "accepted",
        *(() if document["claim"]["statement"] in THEOREMS else [ONE_ONLY]),
    }


# --- false certificates, by the section of the rule that they break

PROOF = "evidence/conclusion"
ALL_ONES, PIVOT = ({"pivots": [0], "basis": [["1", second]]} for second in "10")
REGION = f"{PROOF}/nodes"
HEAD = "claim/head"
UNSIGNED = ["motzkin", [[2, 1, "1"]], [[1, h, ["0", "-1/24", "0"]] for h in (0, 2)]]  # for y[0], y[2] >= 0 alone


def tied() -> Any:
    """Where state 1 says nothing: label 0 is not the last, and ties go to the last."""
    return altered(altered(by_hand("settled"), "model/task/mu", ["-1", "0"]), f"{HEAD}/b", ["-1", "-1"])


def with_b_off_H_star() -> Any:
    return altered(by_hand("head of 4.6"), f"{HEAD}/b/1", "1")


def too_small_a_span() -> Any:
    """Two functionals that are equal vanish on any span; this one holds beta(empty), and of no token."""
    spans = {"of": [0, 0], "spans": [{"pivots": [0], "basis": [["1", "1"]]}]}
    return altered(altered(by_hand("proved"), f"{PROOF}/nodes", [["equal-on-spans", "1"]]), f"{PROOF}/spans", spans)


def behind_the_impossible() -> Any:
    """Behind a prompt that is 1 only where the chain never begins there is no column, so no column breaks a rule."""
    return head_claim("4.6", SWAP_NOTES, head(SWAP_NOTES, ["0", "1", "0", "1"]), RIGHT)


def unlike() -> Any:
    """The second token tells of one value more than of the other: behind a prompt the outputs are not the same."""
    other = altered(by_hand("C.6 fails"), "model/emission/0/0/0/2", "2/3")
    return altered(other, "model/emission/1/0/0/2", "1/3")


FALSE: list[tuple[str | Callable[[], Any], str, Any, str]] = [
    ("proved", "version", 1, "1: the version"),
    ("proved", "version", True, "1: the version"),
    ("proved", "format", "x", "1: the format"),
    ("proved", "more", 1, "1: the keys"),
    ("proved", "model/initial/0", "2/4", "1: '2/4' is not in lowest terms"),
    ("proved", "model/initial/0", "1/1", "1: '1/1' is not in lowest terms"),
    ("proved", "model/initial/0", "+1/2", "1: the number"),
    ("proved", "model/initial/0", "01/2", "1: the number"),
    ("proved", "model/initial/0", "-0", "1: the number"),
    ("proved", "model/initial/0", "１", "1: the number"),
    ("proved", "model/initial/0", 1, "1: the number"),
    ("proved", "model/initial/0", "1/3", "2: a law"),
    ("proved", "model/initial", ["3/2", "-1/2"], "2: a law"),
    ("proved", "model/transition/0", ["1/4", "3/4"], "2: a law"),
    ("proved", "model/emission/0", ["1/3", "1/2"], "2: a law"),
    ("proved", "model/task/mu", ["0", "0"], "2: mu"),
    ("proved", "model/task/mu", [["1", "0"]], "2: mu"),
    ("proved", "model/states", ["a", "a"], "2: states"),
    ("proved", "model/name", 3, "2: name"),
    ("proved", "model/kind", "x", "2: the kind"),
    ("proved", "claim/kind", "x", "3: the kind"),
    ("proved", "claim/statement", "4.3", "3: the statement"),
    ("proved", "claim/scope", "some", "3: the scope"),
    ("proved", "claim/status", "refuted", "3: the status"),
    ("proved", "claim/conclusion", "perhaps", "3: the conclusion"),
    ("proved", "claim/vacuous", True, "3: vacuous"),
    ("proved", "claim/vacuous", 0, "3: vacuous"),
    ("proved", "claim/labels", {"0": [1], "1": [1]}, "3: an input with label 1"),
    ("proved", "claim/labels", {"0": [], "1": [0]}, "2: an input"),
    ("proved", "claim/assumptions/3.1", None, "4: evidence is null exactly"),
    ("proved", "claim/assumptions/3.2:ergodic", False, "4: 3.2:ergodic"),
    ("proved", "claim/assumptions/3.1", 1, "3: an assumption"),
    ("proved", "evidence/assumptions/3.2:ergodic", {}, "4: 3.2:ergodic"),
    ("proved", "evidence/constant", {}, "4: constant"),
    ("proved", PROOF, None, "4: conclusion is null"),
    ("proved", "evidence/assumptions/3.1/matrix/0/0", "1", "4: matrix W = I"),
    ("by_minor", "evidence/assumptions/3.1/modulus", 3, "4: a determinant"),
    ("by_minor", "evidence/assumptions/3.1/modulus", 25, "4: a prime"),
    ("by_minor", "evidence/assumptions/3.1/modulus", 1, "4: a prime"),
    ("by_minor", "evidence/assumptions/3.1/modulus", 2**31 + 11, "1: an index"),
    ("by_minor", "evidence/assumptions/3.1/tokens", [1, 1], "4: a determinant"),
    ("prompted_by_minor", "evidence/assumptions/3.5/left_inverse/tokens", [1], "1: a list"),
    ("headless", "evidence/assumptions/3.1/vector/0", "2", "4: a vector"),
    ("headless", "evidence/assumptions/3.1/vector", ["0", "0", "0"], "4: a vector"),
    ("prompted", "evidence/assumptions/3.5/recoverable", [0], "4: recoverable"),
    ("prompted", "evidence/assumptions/3.5/recoverable", [1, 0], "ascending"),
    ("prompted", "evidence/assumptions/3.5/left_inverse/0/0", "0", "4: left_inverse"),
    ("prompted", f"{PROOF}/prompt", None, "3, 10: prompt"),
    ("prompted", f"{PROOF}/prompt/u/0", "3/2", "2: a prompt"),
    ("uncovered", "evidence/assumptions/3.5/nodes/0/2", [[0, 1]], "4: exactly"),
    ("uncovered", "evidence/assumptions/3.5/nodes/0/2/1/1", 1, "the children of node 0"),
    ("uncovered", "evidence/assumptions/3.5/nodes/0/2/1/1", 0, "the children of node 0"),
    ("uncovered", "evidence/assumptions/3.5/nodes/0/1", 1, "4: h is in supp"),
    ("uncovered", "evidence/assumptions/3.5/null_vectors/0", ["1", "1"], "4: null vectors"),
    ("uncovered", "evidence/assumptions/3.5/null_vectors", [["1", "-1"], ["2", "-2"], ["1", "1"]], "4: null vectors"),
    ("uncovered", "evidence/constant/label", 0, "5: the one label"),
    ("uncovered", "evidence/constant/nodes/0/1", [1, 1], "the children"),
    ("uncovered", "evidence/constant/nodes/2", ["impossible"], "5: p = 0"),
    ("uncovered", "evidence/constant/nodes/2", ["equal", "1"], "5: a node"),
    ("silent", "evidence/constant/scores/1", ["1/4", "1/2"], "5: the functionals vanish"),
    ("silent", "evidence/constant/spans", None, "5: scores and spans"),
    ("silent", "evidence/constant/spans/spans/0/basis/0", ["1", "2"], "5: the all-ones vector"),
    ("silent", "evidence/constant/spans/spans", [ALL_ONES, PIVOT], "5: the all-ones vector is in every span"),
    ("silent", "evidence/constant/spans/spans/0/basis/0", ["2", "2"], "5: basis vector"),
    (too_small_a_span, "model/name", "again", "5: A'(W[z,:] o v) is in U_h"),
    ("on_spans", "evidence/spans", None, "object"),
    ("on_spans", "evidence/nodes/0/1", "2", "5: the functionals vanish"),
    ("on_spans", "evidence/nodes/0/1", "-1", "5: c > 0"),
    ("on_spans", "evidence/nodes/0", ["equal", "1"], "5: equal functionals"),
    ("proved", f"{PROOF}/nodes/0/1", "2", "5: equal functionals"),
    ("proved", f"{PROOF}/nodes/0", ["label", 1], "5: the label of all longer"),
    ("proved", f"{PROOF}/nodes/0", ["impossible"], "5: p = 0"),
    ("proved", f"{PROOF}/nodes", [], "a tree has a root"),
    ("proved", f"{PROOF}/spans", {}, "5: spans is null"),
    ("settled", f"{HEAD}/b", ["-1", "5"], "5: the labels of a word"),
    ("settled", "evidence/nodes/0/1", [2, 1], "5:"),
    (tied, "evidence/nodes", [["label", 0]], "5: the label of all longer"),
    ("settled", "evidence/nodes", [["label", 1], ["impossible"]], "each node is the child"),
    ("headless", f"{PROOF}/constraints/0/2", "2", "6: the sum"),
    ("headless", f"{PROOF}/constraints/0/2", "-1", "6: rival"),
    ("headless", f"{PROOF}/constraints/0/1", 1, "6: rival"),
    ("headless", f"{PROOF}/constraints/1", [0, 0, "1"], "6: none repeats"),
    ("headless", f"{PROOF}/constraints/2", GONE, "6: at least one constraint is strict"),
    ("headless", f"{PROOF}/inputs/2", [2], "an index"),
    ("headless", f"{PROOF}/inputs", [[0], [1], [0, 1], [0]], "6: no list inputs has a word twice"),
    ("4.3 fails", f"{PROOF}/inputs", [[1], [1, 1], [0, 1], [1]], "6: no list inputs has a word twice"),
    ("4.6 fails", f"{PROOF}/inputs", [[0, 0, 1], [0, 1, 1], [0, 0, 1]], "6: no list inputs has a word twice"),
    ("promptless", f"{REGION}/0/2", 17, "the children"),
    ("promptless", f"{REGION}/18/1", 0, "6: a label other"),
    ("promptless", f"{REGION}/18", ["motzkin", [[2, 1, "1"]], []], "6: zero exactly"),
    ("promptless", f"{REGION}/5", ["zero", 2], "6: zero exactly"),
    ("promptless", f"{REGION}/3/2", 2, "6: l >= 1"),
    ("promptless", f"{REGION}/3/1", 0, "6: l >= 1"),
    ("promptless", f"{REGION}/10/2", "1", "6: halve"),
    ("promptless", f"{REGION}/10/1", 1, "6: halve"),
    ("promptless", f"{REGION}/11/1/1/2", "7", "6: T[l,z,f]"),
    ("promptless", f"{REGION}/11", ["motzkin", [[2, 1, "1"]], [[1, 0, ["0", "-1/24", "0"]]] * 2], "6: parts have"),
    ("promptless", f"{REGION}/12", ["motzkin", [[1, 0, "1"], [2, 1, "6"]], []], "6: T[l,z,f]"),
    ("promptless", REGION, [["largest", [1, 2, 3], 4], *[UNSIGNED] * 3, ["zero", 2]], "6: parts are <= 0"),
    ("mislabelled", f"{HEAD}/b", ["3", "-3"], "7, 10: an input"),
    ("mislabelled", "evidence/input", [], "2: an input"),
    ("mislabelled", "claim/statement", "3.6", "3, 10: prompt"),
    ("4.3", "claim/recoverable", [], "10: H* is not empty"),
    ("4.3", "claim/labels", {"0": [1], "1": [0]}, "10: the input is in R"),
    ("4.6", f"{PROOF}/prompt/u", HALVED, "10, Keys behind u: one y"),
    (behind_the_impossible, "model/name", "again", "10, Keys behind u: y > 0"),
    (unlike, "model/name", "again", "11: Alike"),
    ("4.3", "claim/recoverable", [7], "an index"),
    ("C.6", "claim/recoverable", [0], "10:"),
    ("4.3", "model/memory", [], "10: |M| >= 1"),
    ("4.3", "model/task/recoverable", [1], "10: H* is that of the task"),
    ("4.3", "evidence/assumptions/4.2/columns", [0], "10: the columns"),
    ("4.3", "evidence/assumptions/4.2/rows/0/0", "9", "10: row i"),
    ("4.3 fails", "evidence/assumptions/4.2/null_vectors/0/0", "2", "10: a null vector"),
    ("4.3 fails", "evidence/assumptions/4.2/states", [0], "10: states are all"),
    ("4.6 fails", "model/task/mu", ["0", "1"], "10: a null vector on the ground set"),
    ("4.6 on cells", "evidence/assumptions/4.5", {"kind": "unrecoverable"}, "the kind, expected more-cells"),
    ("4.3", f"{PROOF}/scale", "2", "10, Values"),
    ("4.3", f"{PROOF}/scale", "0", "10: r > 0"),
    ("4.3", f"{PROOF}/head/key/0", ["1", "2", "0"], "10, Keys: s_c = K"),
    ("4.3", f"{PROOF}/head/key/0", ["0", "0", "1"], "10, Keys: s_c < K"),
    ("4.3", f"{PROOF}/head/key/0", ["0", "0", "0"], "10, Keys: s_c < K"),
    ("4.6", f"{PROOF}/head/position/0", ["0", "0", "-1"], "10, Keys behind u: min"),
    (with_b_off_H_star, f"{HEAD}/value/1", ["0", "0", "1"], "10, Values behind u: 0"),
    ("4.3", f"{PROOF}/head/position", [["0", "1"], ["0", "0"], ["0", "0"]], "1: a list of"),
    ("4.3", f"{PROOF}/prompt", {"u": []}, "10: prompt is null"),
    ("4.3", PROOF, {"kind": "no-input-in-R"}, "10: no input is in R"),
    ("4.6", f"{PROOF}/prompt/u/0", "0", "10, Keys behind u: y p1[h]"),
    ("4.6", f"{PROOF}/prompt/u", ["0"] * 6, "10, Keys behind u: m with"),
    ("4.6", f"{PROOF}/head/embedding/0/0", "9", "10: embedding"),
    ("4.6", f"{PROOF}/head/position/0/2", "9", "10, Keys behind u: min"),
    ("4.3 fails", f"{PROOF}/nodes/0/2", [], "11: attends"),
    ("4.3 fails", f"{PROOF}/nodes/3/1/0/2", "7", "11: values: the sum"),
    ("4.3 fails", f"{PROOF}/nodes/4/1/0/3", "2", "11: keys: the sums"),
    ("4.3 fails", f"{PROOF}/nodes/4/1/0/3", "-1", "11: t > 0"),
    ("4.3 fails", f"{PROOF}/nodes/4/1", [], "11: at least one"),
    ("4.3 fails", f"{PROOF}/nodes/4/1/0/1", 1, "11: i is in I"),
    ("4.6 fails", f"{PROOF}/constraints/0/2", "2", "11: the sums"),
    ("4.6 fails", f"{PROOF}/inputs/0", [1], "11: the inputs have one length"),
    ("C.6 fails", f"{PROOF}/constraints/0/2", "2", "11: the sums"),
    ("head of 4.3 fails", f"{HEAD}/b", ["1", "0", "-1", "0"], "10: an input"),
    ("head of C.6 fails", "evidence/input", [2, 0], "10: an input"),
    ("head of 4.3 fails", "evidence/input", [], "2: an input"),
    ("head of 4.6", f"{HEAD}/b/0", "2", "10, Values"),
    ("head of 4.3", "evidence/scale", "-1", "10: r > 0"),
    ("head of 4.3", "claim/conclusion", "fails", "1: the keys"),
]


@pytest.mark.parametrize(("document", "path", "value", "rule"), FALSE)
def test_a_certificate_that_breaks_one_rule_is_rejected_by_that_rule(
    document: str | Callable[[], Any], path: str, value: Any, rule: str
) -> None:
    changed = altered(by_hand(document) if isinstance(document, str) else document(), path, value)
    assert both(json.dumps(changed)) == {"rejected"}
    with pytest.raises(second_checker.Rejected) as caught:
        second_checker.check(json.dumps(changed))
    assert rule in str(caught.value)


@pytest.mark.parametrize(
    ("columns", "first", "answer"),
    [
        ([[2, 0], [0, 2]], [[1, 0], [0, 1]], True),  # one number
        ([[2, 0], [1, 0]], [[1, 0], [1, 0]], True),  # multiples of one vector
        ([[2, 0], [0, 1]], [[1, 0], [0, 1]], False),
        ([[0, 0]], [[1, 1]], False),
        ([[1, 1]], [[0, 0]], False),
        ([[1, 2]], [[2, 1]], False),
        ([[0, 0], [1, 0]], [[0, 0], [3, 0]], True),
    ],
)
def test_alike_is_what_the_page_says(columns: list[list[int]], first: list[list[int]], answer: bool) -> None:
    given, other = (tuple(tuple(map(Fraction, row)) for row in rows) for rows in (columns, first))
    assert second_checker.alike(given, other) is answer


def test_the_columns_after_a_state_are_those_that_it_leads_to_in_one_step_or_more() -> None:
    model = second_checker.Memory(MARKED)
    alone = {3 // model.H: frozenset({3 % model.H})}
    assert model.columns_after(lambda m: alone.get(m, frozenset())) == {0, 1, 2, 3}


@SOME
@given(memory.memory_hmms(cells=(1, 4), syntax=(1, 2)), st.data())
def test_labels_and_inputs_in_r_are_those_of_hbar(given_model: MemoryHMM, data: st.DataObject) -> None:
    """By the messages of Hbar, whose states they are positive at; and by sums over the cells that a word may read."""
    task = data.draw(memory.memory_tasks(given_model, rows=2))
    model = second_checker.Memory(model_document(given_model, task))
    model.read_recoverable([data.draw(st.sampled_from(model.cell_states))])
    for x in data.draw(st.lists(st.lists(st.integers(0, model.k - 1), min_size=1, max_size=3), max_size=4)):
        try:
            expected = second_checker.Model.input(model, x)
        except second_checker.Rejected:
            assert answer(model, x) == "2"
        else:
            sure = any(all(map(model.own, second_checker.support(tau))) for tau in model.tau(x, model.p1))
            assert answer(model, x) == (expected.label if sure else "10")


def answer(model: second_checker.Memory, x: list[int]) -> int | str:
    """The label, or the section whose rule is not met."""
    try:
        return model.input(x).label
    except second_checker.Rejected as error:
        return str(error).split(":")[0]


def test_the_digest_is_checked() -> None:
    document = by_hand("proved")
    document["digest"] = document["digest"][:-1] + ("0" if document["digest"][-1] != "0" else "1")
    assert both(json.dumps(document)) == {"rejected"}


def test_a_repeated_key_is_rejected() -> None:
    text = json.dumps(by_hand("proved"))
    assert both(text.replace('"version": 2', '"version": 2, "version": 2')) == {"rejected"}


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "3", "null", '{"format": "headproof-certificate"}', "NaN", "[1.5]", "[1e3]", "\ud800"),
        *('{"a": 1, "a": 1}', "[" * 100_000 + "]" * 100_000, "[" * 65 + "]" * 65, "9" * 10_000),
    ],
)
def test_text_that_is_no_certificate_is_rejected(text: str) -> None:
    assert second(text) == "rejected"


def test_bytes_that_are_not_utf_8_are_rejected() -> None:
    with pytest.raises(second_checker.Rejected):
        second_checker.check(json.dumps(by_hand("proved")).encode("utf-16"))


def test_what_is_accepted_is_said_in_a_sentence_that_quotes_the_model() -> None:
    renamed = altered(by_hand("proved"), "model/name", 'every model"')
    assert (
        second_checker.check(json.dumps(by_hand("proved"))) == '3.3 is proved: its conclusion holds, model "umbrella"'
    )
    assert second_checker.check(json.dumps(renamed)).endswith('model "every model\\""')


# --- alone


def test_it_imports_the_standard_library_only_and_no_other_module_of_the_project() -> None:
    program = "import sys, verify.second_checker; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-S", "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.split(".")[0] not in sys.stdlib_module_names}
    assert loaded == {"__main__", "verify", "verify.second_checker"}


def test_it_runs_by_itself(tmp_path: Path) -> None:
    forged = "C.8\nother: accepted: \x1b[32m3.3"
    texts = {"good": by_hand("proved"), "bad": altered(by_hand("proved"), "claim/scope", "x"), "lemma": by_hand("C.8")}
    texts |= {"forged": altered(by_hand("proved"), "claim/statement", forged), "a\nline": by_hand("proved")}
    for name, document in texts.items():
        (tmp_path / name).write_text(json.dumps(document))
    command = [sys.executable, "-m", "verify.second_checker", *(str(tmp_path / name) for name in (*texts, "none"))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "")
    said = [line.removeprefix(f"{tmp_path}/") for line in done.stdout.splitlines()]
    assert said == [
        'good: accepted: 3.3 is proved: its conclusion holds, model "umbrella"',
        "bad: rejected: 3: the scope",
        'lemma: one checker only: 9, 10: "C.8" is no theorem',
        'forged: one checker only: 9, 10: "C.8\\nother: accepted: \\u001b[32m3.3" is no theorem',
        'a\\nline: accepted: 3.3 is proved: its conclusion holds, model "umbrella"',
        "none: unreadable: No such file or directory",
    ]
