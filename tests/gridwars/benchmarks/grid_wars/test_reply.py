"""Replies of every kind that models give, read by the rules or rejected with the reason."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridwars.answer import AnswerRepair
from gridwars.benchmarks.contract import Rejection
from gridwars.benchmarks.grid_wars.reply import Reading, Repair, read_reply
from gridwars.benchmarks.grid_wars.submission import (
    BANNER_LENGTH,
    NOTES_LENGTH,
    cap_banner,
    cap_notes,
    cap_reason,
    cap_script,
    fits_limits,
    split_script,
)
from gridwars.tolerant_json import JsonRepair
from gwl.limits import MAX_LINE_LENGTH, MAX_LINES, MAX_SOURCE_LENGTH

LINES = ("while true:", "  place()", "  move(1, 0)")
PLAIN = json.dumps({"script": LINES, "notes": "go\neast", "banner": "hi"})
SOURCE = "\n".join(LINES)


def _read(text: str) -> Reading:
    reading = read_reply(text)
    assert isinstance(reading, Reading), reading
    return reading


def _reject(text: str) -> str:
    reading = read_reply(text)
    assert isinstance(reading, Rejection), reading
    return reading.reason


def test_plain_json_is_read_without_a_repair() -> None:
    assert _read(PLAIN) == Reading(LINES, "go\neast", "hi", ())
    assert _read(f"\n {PLAIN} \n") == Reading(LINES, "go\neast", "hi", ())


@pytest.mark.parametrize(
    ("text", "repair"),
    [
        (f"\ufeff{PLAIN}", AnswerRepair.BYTE_ORDER_MARK),
        (f"```json\n{PLAIN}\n```", AnswerRepair.FENCE),
        (f"~~~\n{PLAIN}\n~~~", AnswerRepair.FENCE),
        (f"Here is {{my}} program:\n\n{PLAIN}\n\nGood {{luck: all}}!", AnswerRepair.SURROUNDINGS),
        (f"Sure:\n```json\n{PLAIN}\n```\nIt walks.", AnswerRepair.SURROUNDINGS),
        (f'<think>Maybe {{"script": ["wait()"]}}?</think>{PLAIN}', AnswerRepair.THOUGHT),
        (f"<THINKING>hm\n</THINKING>\n{PLAIN}", AnswerRepair.THOUGHT),
        (f'Maybe {{"script": ["wait()"]}}?</think>\n{PLAIN}', AnswerRepair.THOUGHT),
        (f"{PLAIN}<think>Or rather: ```\n{PLAIN.replace('east', 'west')}\n```", AnswerRepair.THOUGHT),
        (json.dumps({"name": "submit", "arguments": PLAIN}), AnswerRepair.TOOL_CALL),
        (
            json.dumps({"tool_calls": [{"function": {"name": "f", "arguments": f" {PLAIN}\n"}}]}),
            AnswerRepair.TOOL_CALL,
        ),
        (f"<tool_call>{json.dumps({'name': 'submit', 'input': PLAIN})}</tool_call>", AnswerRepair.TOOL_CALL),
        (f"{PLAIN}\udcff", AnswerRepair.NOT_UTF8),
        (f"{PLAIN}\udc00", AnswerRepair.SURROGATE),
        (re.sub('"([^"]*)"', "“\\1”", PLAIN), JsonRepair.TYPOGRAPHIC_QUOTES),
        (re.sub('"([^"]*)"', "„\\1“", PLAIN), JsonRepair.TYPOGRAPHIC_QUOTES),
        (re.sub('"([^"]*)":', "”\\1”:", PLAIN), JsonRepair.TYPOGRAPHIC_QUOTES),
        (f'{{"answer": {PLAIN}}}', AnswerRepair.NESTED),
        (f'{{"draft": {{"script": ["wait()"]}}, "final": {PLAIN}}}', AnswerRepair.NESTED),
        (f"[{PLAIN}]", AnswerRepair.SURROUNDINGS),
        (f'{{"script": ["wait()"]}} No, better: {PLAIN}', AnswerRepair.REPEATED),
        (json.dumps(PLAIN), AnswerRepair.DOUBLE_ENCODED),
        (json.dumps(PLAIN)[1:-1], AnswerRepair.DOUBLE_ENCODED),
        (PLAIN.replace('"hi"}', '"hi",}'), JsonRepair.TRAILING_COMMA),
        (PLAIN.replace('", "', '",\n// next\n"'), JsonRepair.COMMENT),
        (PLAIN.replace("\\n", "\n"), JsonRepair.RAW_BREAK),
        (str(json.loads(PLAIN)), JsonRepair.SINGLE_QUOTES),
    ],
)
def test_decorations_are_read_through_and_named(text: str, repair: str) -> None:
    reading = _read(text)
    assert (reading.script, reading.notes, reading.banner) == (LINES, "go\neast", "hi")
    assert repair in reading.repairs


def _script(value: object) -> str:
    return json.dumps({"script": value})


@pytest.mark.parametrize(
    ("text", "repair"),
    [
        (_script(SOURCE), None),
        (_script([f"{line}\n" for line in LINES]), None),
        (_script([LINES[0], f"{LINES[1]}\n{LINES[2]}"]), Repair.BROKEN_ITEM),
        (_script(SOURCE.replace("\n", "\\n")), Repair.ESCAPED_BREAKS),
        (_script([f"{line}\\n" for line in LINES]), Repair.ESCAPED_BREAKS),
        (_script(f"```gwl\n{SOURCE}\n```"), Repair.SCRIPT_FENCE),
        (_script(["```", *LINES, "```"]), Repair.SCRIPT_FENCE),
        (_script(f"\ufeff{SOURCE}"), Repair.BYTE_ORDER_MARK),
        (_script(json.dumps(LINES)), Repair.SCRIPT_JSON),
        (_script(json.dumps({"script": LINES})), Repair.SCRIPT_JSON),
        (_script([f"{n}| {line}" for n, line in enumerate(LINES, 1)]), Repair.LINE_NUMBERS),
        (_script([f" {n:2}  {line}" for n, line in enumerate(LINES, 1)]), Repair.LINE_NUMBERS),
        (_script("\n".join(f"{n}.\t{line}" for n, line in enumerate(LINES))), Repair.LINE_NUMBERS),
        (f"```\n1: {LINES[0]}\n2: {LINES[1]}\n3: {LINES[2]}\n```", Repair.LINE_NUMBERS),
        (_script("\r\n".join(LINES)), Repair.LINE_ENDS),
        (_script("\r".join(LINES)), Repair.LINE_ENDS),
        (f"```gwl\n{SOURCE}\n```", Repair.PROGRAM_IN_FENCE),
        (f"Here it is:\n```\n{SOURCE}\n```\nIt walks.", Repair.PROGRAM_IN_FENCE),
        (f"```nim\n{SOURCE}```", Repair.PROGRAM_IN_FENCE),
        (f"<think>What now?</think>\n{SOURCE}\n", Repair.BARE_PROGRAM),
    ],
)
def test_a_script_in_any_dress_gives_the_same_lines(text: str, repair: Repair | None) -> None:
    reading = _read(text)
    assert reading.script == LINES
    assert (repair is None and not reading.repairs) or repair in reading.repairs


def test_a_comment_may_name_an_escape_without_breaking() -> None:
    lines = ("# breaks are \\n", *LINES)
    assert _read(_script(list(lines))).script == ("# breaks are ", *LINES)
    lines = ("# use \\n here", *LINES)
    assert _read(_script(list(lines))).script == lines


def test_line_numbers_count_all_lines_or_those_with_something_on_them() -> None:
    assert _read(_script(["1| a = 1", "2|", "3|   wait()"])).script == ("a = 1", "", "  wait()")
    assert _read(_script(["1 a = 1", "", "3 wait()"])).script == ("a = 1", "", "wait()")
    assert _read(_script(["1 a = 1", "", "2 wait()"])).script == ("a = 1", "", "wait()")


@pytest.mark.parametrize(
    "lines",
    [
        ["1 wait()", "3 wait()"],
        ["7 wait()", "8 wait()"],
        ["1 wait()", "place()", "2 wait()"],
        ["a = [", "1,", "2]"],
        ["1wait()", "2wait()"],
        ["1 wait()"],
        ["10000| wait()", "10001| wait()"],
    ],
)
def test_numbers_that_count_no_lines_are_left_to_the_compiler(lines: list[str]) -> None:
    assert _read(_script(lines)) == Reading(tuple(lines), "", "", ())


def test_null_items_are_empty_lines() -> None:
    reading = _read(_script([LINES[0], None, LINES[1]]))
    assert reading.script == (LINES[0], "", LINES[1])
    assert Repair.NULL_ITEM in reading.repairs


def test_a_bare_program_that_might_be_prose_keeps_what_to_say_otherwise() -> None:
    assert "no JSON object" in _read(SOURCE).otherwise
    assert _read("# walker\n\nvar a = 1\n").script == ("# walker", "", "var a = 1")


@pytest.mark.parametrize(
    ("notes", "text"),
    [
        (["a", 1, "b"], "a\nb"),
        (12, "12"),
        (True, "true"),
        (None, ""),
        ({"plan": "x"}, ""),
    ],
)
def test_notes_that_are_no_text_never_cost_the_script(notes: object, text: str) -> None:
    reading = _read(json.dumps({"script": LINES, "notes": notes, "banner": notes}))
    assert (reading.script, reading.notes, reading.banner) == (LINES, text, text)
    assert Repair.NOT_TEXT in reading.repairs


def test_lone_surrogates_are_replaced_and_named() -> None:
    reading = _read('{"script": ["wait() # \\ud800"], "notes": "\udfff"}')
    assert (reading.script, reading.notes) == (("wait() # \ufffd",), "\ufffd")
    assert {AnswerRepair.SURROGATE, JsonRepair.SURROGATE} <= set(reading.repairs)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the reply is empty"),
        (" \n", "the reply is empty"),
        ("<think>I wonder", "the reply holds nothing but an unfinished thought"),
        ('<think>Say {"script": ["wait()"]} or not', "the reply holds nothing but an unfinished thought"),
        (
            f"<think>I take this: ```\n{PLAIN}\n```",
            "the reply holds nothing but an unfinished thought",
        ),
        (
            f"Well. <think>I take {PLAIN}",
            'the reply holds no JSON object with "script", the thought that it never ends aside',
        ),
        (json.dumps({"name": "f", "arguments": PLAIN[:-3]}), 'it has "name", "arguments"'),
        ("I am sorry, but no.", 'the reply holds no JSON object with "script"'),
        ("if you look at it: it is hard", 'the reply holds no JSON object with "script"'),
        ("# Only a heading", 'the reply holds no JSON object with "script"'),
        ('{"code": ["wait()"]}', 'the JSON object of the reply has no "script"; it has "code"'),
        ('Done. {"notes": "x"}', 'the JSON object of the reply has no "script"; it has "notes"'),
        ('{"script": ["wait()" oops]}', "breaks off at line 1, column 22"),
        (f"```\n{SOURCE}\n```\nor\n```\nwait()\n```", "more than one fenced block"),
        ('{"script": null}', '"script" is null; it must be a list of lines or one text'),
        ('{"script": {"a": "b"}}', '"script" is an object'),
        ('{"script": ["wait()", 7]}', 'item 2 of "script" is 7'),
        ('{"script": [["wait()"]]}', 'item 1 of "script" is a list'),
    ],
)
def test_what_is_no_answer_is_rejected_with_the_reason_and_what_to_do(text: str, reason: str) -> None:
    rejection = _reject(text)
    assert reason in rejection
    assert '{"script": [lines], "notes": "...", "banner": "..."}' in rejection


@pytest.mark.parametrize("length", range(2, len(PLAIN) - 1, 3))
def test_json_cut_anywhere_is_rejected_as_cut_short(length: int) -> None:
    text = PLAIN[:length]
    assert "cut short" in _reject(text) or '"script"' not in text


def test_a_cut_second_answer_is_not_replaced_by_the_first() -> None:
    assert "cut short" in _reject(f'{PLAIN}\nBetter: {{"script": ["while')


def test_a_fence_that_never_closes_is_cut_short() -> None:
    assert "cut short" in _reject(f"```gwl\n{SOURCE}")


def test_an_answer_is_not_taken_from_inside_itself_or_from_a_thought() -> None:
    assert _read('{"script": ["wait()"], "old": {"script": ["place()"]}}').script == ("wait()",)
    assert _read('{"old": {"script": ["place()"]}, "script": ["wait()"]}').script == ("wait()",)
    assert "no JSON object" in _reject('Say {"script": ["wait()"]}?</think> No, I give up.')


def test_prose_with_braces_after_the_answer_changes_nothing() -> None:
    assert _read(f'{PLAIN}\nThe {{"script": ...}} above walks.').script == LINES


FRAGMENTS = st.sampled_from(
    [
        *('{"script": [', '"wait()"', '"notes": "', "]}", "}", "{", "[", '"', "'", "\\", "\\n", "\\u12"),
        *("```", "```json\n", "<think>", "</think>", "//", "/*", "#", "\n", "\r", "\ud800", "null", ": "),
        *("“", "”", "„", '"arguments": "{', "1| ", "2| ", "\udcff"),
        *("while true:\n", "  place()\n", "\ufeff", ",", "\x00"),
    ]
)


@given(st.lists(st.text(max_size=5) | FRAGMENTS, max_size=30).map("".join))
def test_no_text_makes_reading_raise(text: str) -> None:
    reading = read_reply(text)
    if isinstance(reading, Reading):
        assert "\n" not in "".join(reading.script)
        for part in (*reading.script, reading.notes, reading.banner):
            part.encode()


SCRIPT_LINES = st.lists(st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="`")))


@given(SCRIPT_LINES, st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=30))
def test_what_was_encoded_is_what_is_read(lines: list[str], notes: str) -> None:
    lines = [line.replace("\\", "/") for line in ["wait()", *lines]]
    reading = _read(json.dumps({"script": lines, "notes": notes}))
    assert reading == Reading(tuple(lines), notes, "", ())


HOSTILE: dict[str, Callable[[int], str]] = {
    "braces": lambda n: "{" * n,
    "quotes": lambda n: '"' * n,
    "fences": lambda n: "```\n" * (n // 4),
    "nesting": lambda n: '{"a":' * (n // 5),
    "brackets": lambda n: '{"script":' + "[" * n,
    "objects": lambda n: '{"a":1}' * (n // 7),
    "answers": lambda n: '{"script":1}' * (n // 12),
    "broken": lambda n: '{"script":x' * (n // 11),
    "open strings": lambda n: '{"' * (n // 2),
    "open comments": lambda n: '{"a":/*' * (n // 7),
    "line comments": lambda n: "{//" * (n // 3),
    "thoughts": lambda n: "<think>" * (n // 7),
    "ends of thoughts": lambda n: "</think>" * (n // 8),
    "backslashes": lambda n: '{"script": "' + "\\" * n,
    "escapes": lambda n: _script("\\n" * (n // 3)),
    "blank lines": lambda n: "\n" * n,
    "colons": lambda n: "while " + ": " * (n // 2),
    "numbers": lambda n: '{"script": [' + "1," * (n // 2),
    "carriage returns": lambda n: _script("\r" * (n // 2)),
    "long line": lambda n: _script(" " * n + "x"),
    "typographic quotes": lambda n: "{“" * (n // 2),
    "tool calls": lambda n: '{"arguments": "{ ' * (n // 16),
    "line numbers": lambda n: _script("".join(f"{i}|\n" for i in range(n // 8))),
    "surrogates": lambda n: "\ud800" * n,
    "prose, then an answer": lambda n: "so { it } goes " * (n // 15) + PLAIN,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_megabyte_of_anything_is_read_in_linear_time(name: str) -> None:
    def measure(size: int) -> float:
        text = HOSTILE[name](size)
        started = time.process_time()
        read_reply(text)
        return time.process_time() - started

    # Linear with room for a busy machine; a quadratic reader would need minutes.
    assert measure(1_000_000) < 3
    assert measure(1_000_000) < 0.25 + 40 * max(measure(100_000), 0.005)


def test_scripts_keep_whole_lines_up_to_every_limit() -> None:
    assert cap_script(["\tplace()  ", "", "x = 1\u00a0", " ", ""]) == ("  place()", "", "x = 1")
    assert cap_script(["x" * (MAX_LINE_LENGTH + 1)]) == ("x" * MAX_LINE_LENGTH,)
    assert len(cap_script(["wait()"] * (MAX_LINES + 1))) == MAX_LINES
    full = ["y" * (MAX_LINE_LENGTH - 1)] * (MAX_SOURCE_LENGTH // MAX_LINE_LENGTH)
    assert cap_script(full) == tuple(full)
    assert cap_script([*full, "", "z"]) == tuple(full)
    assert cap_script(["x", *full, "z"]) == ("x", *full[:-1])


@given(st.lists(st.text(max_size=120), max_size=130))
def test_what_is_kept_of_any_script_fits_the_limits(lines: list[str]) -> None:
    source = split_script("\n".join(lines))
    assert fits_limits(cap_script(source))
    assert not fits_limits((*cap_script(source), "\t"))


@settings(max_examples=50)
@given(st.text(max_size=700))
def test_texts_are_trimmed_and_end_in_an_ellipsis_where_they_are_cut(text: str) -> None:
    for cap, limit in ((cap_notes, NOTES_LENGTH), (cap_banner, BANNER_LENGTH), (cap_reason, 300)):
        capped = cap(text * 3)
        assert len(capped) <= limit
        assert capped == capped.strip()
        assert (
            (len(capped) == limit and capped.endswith("…"))
            or capped in (text * 3).replace("\n", " ")
            or (capped in text * 3)
        )


def test_cuts_count_code_points() -> None:
    assert cap_notes("😀" * 601) == "😀" * 599 + "…"
    assert cap_notes("😀" * 600) == "😀" * 600
    assert cap_banner(" one\ntwo ") == "one two"
