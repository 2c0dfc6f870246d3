"""Bad input: exit status 2, an empty standard output, no file written, and one line that names place and fault."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from command import headproof, save, shipped

UMBRELLA = str(shipped("umbrella"))
NUMBER = 'a number: an integer, a decimal or "p/q"'
DIGITS = "at most 10,000 digits"
KEYS = "one of emission, initial, kind, name, rounding, source, states, task, tokens, transition"
TOKEN = "an index from 0 to 1, or a token's name"

MODEL: dict[str, Any] = {
    "kind": "hmm",
    "states": ["rain", "dry"],
    "tokens": ["yes", "no"],
    "initial": ["1/2", "1/2"],
    "transition": [["7/10", "3/10"], ["3/10", "7/10"]],
    "emission": [["9/10", "1/5"], ["1/10", "4/5"]],
    "task": {"mu": [1, -1]},
}
HEAD: dict[str, Any] = {"statement": "3.6", "head": {"b": [1, -1]}, "prompt": {"u": [1, 0]}}
pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


def model(**changes: Any) -> dict[str, Any]:
    return MODEL | changes


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in MODEL.items() if name != key}


def written(text: str) -> str:
    """Return the model's document with this JSON text as its first number."""
    return json.dumps(model(initial=["@", "1/2"])).replace('"@"', text)


def twice(key: str) -> str:
    """Return the model's document with a key written twice."""
    return json.dumps(MODEL).replace(f'"{key}":', f'"{key}": 0, "{key}":')


def files() -> list[Path]:
    return sorted(Path().rglob("*"))


def refused(*arguments: str | Path) -> str:
    """Run a command that is refused in one line and leaves no other files than there were; return the line."""
    before = files()
    line = headproof(*arguments).refusal
    assert line.startswith("headproof: ")
    assert files() == before
    return line


# Model files


NOT_A_MODEL = {
    # the fault: the document, and the complaint with the place, the value there and the value expected
    "a column that sums to 0.999": (
        model(transition=[["0.7", "0.3"], ["0.299", "0.7"]]),
        "transition column 0 (rain): found entries that sum to 999/1000, expected a sum of exactly 1",
    ),
    "an initial law that sums to 2": (
        model(initial=[1, 1]),
        "initial: found entries that sum to 2, expected a sum of exactly 1",
    ),
    "a column of zeros": (
        model(emission=[[1, 0], [0, 0]]),
        "emission column 1 (dry): found entries that sum to 0, expected a sum of exactly 1",
    ),
    "a negative entry": (
        model(emission=[["11/10", "1/5"], ["-1/10", "4/5"]]),
        "emission column 0 (rain), entry 1: found -1/10, expected a probability, at least 0",
    ),
    "NaN": (written("NaN"), f"initial[0]: found NaN, expected {NUMBER}"),
    "1/0": (model(initial=["1/0", 1]), 'initial[0]: found "1/0", expected a denominator that is not 0'),
    "a true": (model(initial=[True, False]), f"initial[0]: found true, expected {NUMBER}"),
    "10,001 digits": (
        written("9" * 10_001),
        f"initial[0]: found 999999999999999999999999... (10,001 characters), expected {DIGITS}",
    ),
    "an exponent of 10,000": (written("1e10000"), f"initial[0]: found 1e10000, expected {DIGITS}"),
    "ragged rows of transition": (model(transition=[[1], [0, 1]]), "transition[0]: found 1, expected 2 numbers"),
    "a row too few": (model(transition=[[1, 1]]), "transition: found 1, expected 2 rows"),
    "no kind": (without("kind"), 'the document: found none, expected the key "kind"'),
    "no task and no --mu": (without("task"), "task: found none, expected a task in the file, or --mu"),
    "no mu": (model(task={}), 'task: found none, expected the key "mu"'),
    "an unknown key": (model(colour=1), f"colour: found an unknown key, expected {KEYS}"),
    "a repeated key": (twice("initial"), "initial: found a repeated key, expected each key once"),
    "a string for a list": (model(initial="1/2"), 'initial: found "1/2", expected a list'),
    "a number for a list": (model(transition=[1, 0]), "transition[0]: found 1, expected a list"),
    "a number for a string": (model(name=3), "name: found 3, expected a string"),
    "a list for an object": (model(task=[1, -1]), "task: found a list, expected an object"),
    "an unknown kind": (model(kind="crf"), 'kind: found "crf", expected "hmm"'),
    "two states of one name": (model(states=["a", "a"]), 'states[1]: found a second "a", expected each name once'),
    "half a character in a name": (
        model(name="\ud800"),
        'name: found "\\ud800", expected text without lone surrogates',
    ),
    "a name too many": (model(states=["a", "b", "c"]), "states: found 3, expected 2 names, one for each state"),
    "a name too few": (model(tokens=["a"]), "tokens: found 1, expected 2 names, one for each row of emission"),
    "no states": (
        {"kind": "hmm", "initial": [], "transition": [], "emission": [], "task": {"mu": []}},
        "initial: found none, expected at least one entry",
    ),
    "no tokens": (model(emission=[], tokens=[]), "emission: found 0 rows, expected at least 1"),
    "empty rows": (model(emission=[[], []]), "emission[0]: found 0, expected 2 numbers"),
    "a mu too short": (model(task={"mu": [1]}), "task.mu: found 1, expected 2 numbers"),
    "one row in a list": (
        model(task={"mu": [[1, -1]]}),
        "task.mu: found one row, expected a vector, or at least two rows",
    ),
    "a number alone": ("3", "the document: found 3, expected an object"),
    "an empty file": ("", "the document: found nothing, expected a JSON object"),
    "truncated JSON": ('{"kind": "hmm",\n "initial": [1, 0', "line 2 column 18: found the end, expected JSON"),
    "a comma too many": (
        '{"kind": "hmm",}',
        "line 1 column 15: found ,}, expected JSON (Illegal trailing comma before end of object)"
        if sys.version_info >= (3, 13)
        else "line 1 column 16: found }, expected JSON (Expecting property name enclosed in double quotes)",
    ),
    "a bare word": (
        written("half"),
        'line 1 column 81: found half, "1/2"], "transitio... (138 characters), expected JSON',
    ),
    "not UTF-8": (b'{"name": "\xff"}', "byte 10: found bytes that are not UTF-8, expected UTF-8 text"),
    "65 brackets": ("[" * 65, "line 1 column 65: found 65 open brackets, expected at most 64"),
    # what would take all memory or time
    "1e999999999": (written("1e999999999"), f"initial[0]: found 1e999999999, expected {DIGITS}"),
    "10 million digits": (
        written("1" * 10**7),
        f"initial[0]: found 111111111111111111111111... (10,000,000 characters), expected {DIGITS}",
    ),
    "100,000 nested lists": (
        "[" * 100_000 + "]" * 100_000,
        "line 1 column 65: found 65 open brackets, expected at most 64",
    ),
    "64 MiB": (" " * (64 * 2**20 + 1), "the file: found more than 64 MiB, expected a smaller file"),
}


@pytest.mark.parametrize(("content", "line"), NOT_A_MODEL.values(), ids=NOT_A_MODEL)
def test_a_file_that_is_no_model_or_too_large_is_refused_in_one_line(content: object, line: str) -> None:
    save("model.json", content)
    assert refused("verify", "--model", "model.json").startswith(f"headproof: model.json: {line}")


@pytest.mark.parametrize("command", ["verify", "assumptions", "build", "explain", "test"])
def test_every_command_refuses_a_bad_model_in_the_same_line(command: str) -> None:
    save("model.json", model(initial=[1, 1]))
    save("head.json", HEAD)
    arguments = {"build": ["3.6"], "explain": ["3.6", "--input", "0"], "test": ["--head", "head.json"]}.get(command, [])
    for form in ([], ["--json"]):
        line = refused(command, *arguments, "--model", "model.json", *form)
        assert line.startswith("headproof: model.json: initial: found entries that sum to 2, expected")


def test_a_bad_model_after_a_good_one_leaves_no_certificate() -> None:
    save("model.json", model(initial=[1, 1]))
    assert "model.json: initial" in refused("verify", "--model", UMBRELLA, "model.json")


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", "--model", "thing.json"],
        ["test", "--head", "thing.json", "--model", UMBRELLA],
        ["check", "thing.json"],
        ["check", UMBRELLA, "--model", "thing.json"],
    ],
)
@pytest.mark.parametrize("exists", [True, False])
def test_a_folder_or_nothing_in_place_of_a_file_is_refused(arguments: list[str], exists: bool) -> None:
    if exists:
        Path("thing.json").mkdir()
    line = refused(*arguments)
    assert line.startswith("headproof: thing.json: the file: found ")
    assert ("directory" if exists else "no such file or directory") in line
    assert ", expected a readable" in line


# Heads


NOT_A_HEAD = {
    "b too short": ({"head": {"b": [1]}}, "head.b: found 1, expected 2 numbers"),
    "rows for a vector": ({"head": {"b": [[1, 0], [0, 1]]}}, "head.b: found 2, expected 1 row(s), as mu has"),
    "a bad number in b": ({"head": {"b": [1, "x"]}}, f'head.b[1]: found "x", expected {NUMBER}'),
    "a head without b": ({"head": {}}, 'head: found none, expected the key "b"'),
    "a head with more than b": ({"head": {"b": [1, 0], "c": 1}}, "head.c: found an unknown key, expected one of b"),
    "u too short": ({"prompt": {"u": [1]}}, "prompt.u: found 1, expected 2 entries, one for each state"),
    "u above 1": ({"prompt": {"u": [0, "3/2"]}}, 'prompt.u[1]: found "3/2", expected a number in [0, 1]'),
    "u below 0": ({"prompt": {"u": [-1, 0]}}, "prompt.u[0]: found -1, expected a number in [0, 1]"),
    "a statement with no prompt": ({"statement": "3.3"}, 'statement: found "3.3", expected 3.6'),
    "a statement with a prompt": ({"prompt": None}, 'statement: found "3.6", expected 3.3'),
    "an unknown statement": ({"statement": "4.3"}, 'statement: found "4.3", expected 3.6'),
    "an unknown key": (
        {"bias": 1},
        "bias: found an unknown key, expected one of head, inputs, length, missed, prompt",
    ),
}


@pytest.mark.parametrize(("changes", "line"), NOT_A_HEAD.values(), ids=NOT_A_HEAD)
def test_a_file_that_is_no_head_for_the_model_is_refused_in_one_line(changes: dict[str, Any], line: str) -> None:
    save("head.json", HEAD | changes)
    assert refused("test", "--head", "head.json", "--model", UMBRELLA).startswith(f"headproof: head.json: {line}")


def test_a_head_file_without_a_head_is_refused() -> None:
    save("head.json", {"statement": "3.3", "prompt": None})
    line = 'headproof: head.json: the document: found none, expected the key "head"'
    assert refused("test", "--head", "head.json", "--model", UMBRELLA).startswith(line)


def test_the_answer_of_build_that_there_is_no_head_is_refused_as_a_head() -> None:
    save("head.json", headproof("build", "3.3", "--model", shipped("only-3-5"), "--json").out)
    line = refused("test", "--head", "head.json", "--model", shipped("only-3-5"))
    assert line.startswith("headproof: head.json: head: found null, expected an object")


# Options


BAD_OPTIONS = {
    "an unknown statement": (["verify", "3.9"], '"3.9", expected a statement: 3.3, 3.6, message-passing'),
    "an unknown statement to build": (
        ["build", "3.4", "--model", UMBRELLA],
        '"3.4", expected a statement with a head: 3.3, 3.6, 4.3, 4.6, C.6',
    ),
    "an unknown command": (["prove"], "prove"),
    "no --model for assumptions": (["assumptions"], "--model"),
    "an argument too many": (["build", "3.3", "3.6", "--model", UMBRELLA], "3.6"),
    "a mu too long": (["verify", "--model", UMBRELLA, "--mu", "1,0,-1"], "found 3, expected 2 numbers"),
    "a mu of zeros": (["verify", "--model", UMBRELLA, "--mu", "0,0"], "found only zeros, expected a mu that is not 0"),
    "an empty mu": (["verify", "--model", UMBRELLA, "--mu", ""], "--mu: "),
    "a word in mu": (["verify", "--model", UMBRELLA, "--mu", "1,x"], f"--mu: [1]: found x, expected {NUMBER}"),
    "ragged rows of mu": (["verify", "--model", UMBRELLA, "--mu", "1,-1;1"], "--mu: [1]: found 1, expected 2 numbers"),
    "a mu that is not JSON": (["verify", "--model", UMBRELLA, "--mu", "[1,"], "--mu: line 1 column 4: found the end"),
    "an input out of range": (
        ["explain", "3.3", "--model", UMBRELLA, "--input", "0,2"],
        f'--input: token 1: found "2", expected {TOKEN}',
    ),
    "an input of an unknown name": (
        ["explain", "3.3", "--model", UMBRELLA, "--input", "umbrella,coat"],
        f'--input: token 1: found "coat", expected {TOKEN}',
    ),
    "an empty input": (
        ["explain", "3.3", "--model", UMBRELLA, "--input", ""],
        f'--input: token 0: found "", expected {TOKEN}',
    ),
}


@pytest.mark.parametrize(("arguments", "part"), BAD_OPTIONS.values(), ids=BAD_OPTIONS)
def test_a_bad_option_is_refused_in_one_line(arguments: list[str], part: str) -> None:
    assert part in refused(*arguments)


def test_an_input_of_probability_0_is_refused() -> None:
    save("model.json", model(initial=[1, 0], transition=[[1, 0], [0, 1]], emission=[[1, 0], [0, 1]]))
    line = refused("explain", "3.6", "--model", "model.json", "--input", "0,1")
    assert "--input: found an input of probability 0, expected one that the model can produce" in line


def test_a_file_in_place_of_the_folder_for_certificates_is_refused() -> None:
    save("certificates", "mine")
    save("head.json", {"head": {"b": [1, -1]}})
    for arguments in (["verify", "3.3"], ["test", "--head", "head.json"]):
        line = refused(*arguments, "--model", UMBRELLA)
        assert line.startswith("headproof: certificates: ")
        assert "found a file" in line
        assert "expected a folder" in line
    assert Path("certificates").read_text() == "mine"


# Certificates


@pytest.mark.parametrize(
    "content",
    ["", "  ", "{", "nonsense", b"\xff", b"\xef\xbb\xbf{}"],
    ids=["empty", "spaces", "cut", "word", "byte", "mark"],
)
def test_a_certificate_that_is_not_json_is_refused(content: str | bytes) -> None:
    save("certificate.json", content)
    line = refused("check", "certificate.json", "--json")
    assert line.startswith("headproof: certificate.json: ")
    assert "found not " in line
    assert "expected a certificate" in line


@pytest.mark.parametrize("content", ["", "{", "[]", '{"kind": "crf"}', json.dumps(model(initial=["1/0", 1]))])
def test_check_names_the_model_file_that_is_none(content: str) -> None:
    headproof("verify", "3.3", "--model", UMBRELLA)
    save("mine.json", content)
    assert "mine.json: " in refused("check", "certificates/umbrella-3.3.json", "--model", "mine.json")


# One line, whatever stands in the input


LINES = {
    "the name of a state": model(states=["a\nb", "c"], transition=[[1, 0], [1, 1]]),
    "a repeated name": model(states=["a\nb", "a\nb"]),
    "an unknown key": model(**{"a\nb\r\x85\u2028c": 1}),
    "a string for a number": model(initial=["1\n", 1]),
    "a surrogate in a key": model(**{"\ud800": 1}),
    "an escape in a key": model(**{"\x1b[31m": 1}),
}


@pytest.mark.parametrize("content", LINES.values(), ids=LINES)
def test_line_breaks_in_a_file_do_not_break_the_line(content: object) -> None:
    save("model.json", content)
    line = refused("verify", "--model", "model.json")
    assert line.startswith("headproof: model.json: ")
    assert "\x1b" not in line


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", "--model", "a\nb.json"],
        ["verify", "3.3\n"],
        ["ver\nify"],
        ["verify", "--model", UMBRELLA, "--mu", "1,a\nb"],
        ["explain", "3.3", "--model", UMBRELLA, "--input", "a\nb"],
        ["check", "a\nb.json"],
    ],
)
def test_line_breaks_in_an_argument_do_not_break_the_line(arguments: list[str]) -> None:
    refused(*arguments)


# Unusual, but right


LEGAL = {
    "a mu of 10,000 digits": model(task={"mu": ["9" * 10_000, "-1/" + "3" * 10_000]}),
    "a law of 10,000 digits": model(initial=["1/1" + "0" * 9_999, "9" * 9_999 + "/1" + "0" * 9_999]),
    "a decimal of 5,000 places": written("0.5" + "0" * 5_000),
    "brackets in strings": model(source="[" * 100_000 + '\\"{', states=["[" * 100, "{"]),
    "names that are empty": model(states=["", "b"], tokens=["", "c"], name=""),
    "white space": "\n\t " + json.dumps(MODEL, indent=4) + "\r\n\n",
    "one state and one token": {
        "kind": "hmm",
        "initial": [1],
        "transition": [[1]],
        "emission": [[1]],
        "task": {"mu": [1]},
    },
}


@pytest.mark.parametrize("content", LEGAL.values(), ids=LEGAL)
def test_unusual_models_are_accepted(content: object) -> None:
    save("model.json", content)
    done = headproof("verify", "3.3", "--model", "model.json", "--json")
    assert (done.status, done.err) == (0, "")
    assert headproof("check", json.loads(done.out)["results"][0]["certificate"], "--model", "model.json").status == 0
