"""What people and models write out of habit gets a hint, and every entry of the table has an example."""
# ruff: noqa: RUF001  # Look-alike characters are among the habits.

from __future__ import annotations

import pytest

from gwl import CompileError, compile_source
from gwl.hint_table import HINTS
from gwl.hints import find_entry

EXAMPLES = [
    # Around the script.
    (["```gwl", "place()", "```"], "send the script alone, without Markdown fences"),
    (["1: place()"], "leave out the line numbers"),
    (["1 | place()"], "leave out the line numbers"),
    (["1   place()"], "leave out the line numbers"),
    # Comments and strings.
    (["// a remark"], 'a comment begins with "#"'),
    (["place() // a remark"], 'a comment begins with "#"'),
    (["a = b // c"], 'integer division is "div"; a comment begins with "#"'),
    (["a = 1 /* one */"], 'a comment begins with "#" and ends with the line'),
    (["/* a remark */"], 'a comment begins with "#" and ends with the line'),
    (["* a remark"], 'a comment begins with "#" and ends with the line'),
    (["-- a remark"], 'a comment begins with "#"'),
    (['"""A remark."""'], 'GWL has no strings; a comment begins with "#"'),
    (['print("hello")'], "GWL has neither strings nor output; leave the line out"),
    (["console.log('hello')"], "GWL has neither strings nor output; leave the line out"),
    (['a = "north"'], "GWL has no strings; use integers as codes"),
    (["a = “north”"], "GWL has no strings; use integers as codes"),
    # Logic and comparison.
    (["if a && b:"], 'write "and"'),
    (["if a || b:"], 'write "or"'),
    (["if !a:"], 'write "not"'),
    (["if a !== b:"], '"!==" is written "!="'),
    (["if a === b:"], '"===" is written "=="'),
    (["a = b & c"], 'write "and" between conditions; there is no bitwise "&"'),
    (["a = b | c"], 'write "or" between conditions; there is no bitwise "|"'),
    (["a = b ^ c"], "GWL has no powers; the bitwise exclusive or of a and b is xor(a, b)"),
    (["a = ~b"], 'write "not" before a condition; the bitwise complement of a is -a - 1'),
    (["if a <> b:"], '"<>" is written "!="'),
    (["if a =< b:"], '"=<" is written "<="'),
    (["a = b <=> c"], 'GWL has no "<=>"; compare with "<", "==" and ">" one by one'),
    (["if a => b:"], 'GWL has no "=>"; "greater or equal" is ">="'),
    (["a = 1 << n"], "shift with shl(a, n)"),
    (["a = b >> n"], "shift with shr(a, n)"),
    (["a = b -> c"], 'GWL has no "->"; a proc header is "proc f(a, b) ="'),
    (["if a ≠ b:"], 'write "!="'),
    (["if a ≤ b:"], 'write "<="'),
    (["if a ≥ b:"], 'write ">="'),
    (["if a is not b:"], 'write "!="'),
    (["if a is b:"], 'write "=="'),
    (["if a equals b:"], 'write "=="'),
    (["if a in b:"], 'GWL has no membership test; go through the array with "for"'),
    (["if a not in b:"], 'GWL has no membership test; go through the array with "for"'),
    (["a = b xor c"], "write xor(a, b)"),
    (["if a AND b:"], 'write "and" in lower case'),
    # Assignment and declaration.
    (["a += 1"], 'write "a = a + 1"'),
    (["a[i] -= f(2)  # less"], 'write "a[i] = a[i] - (f(2))"'),
    (["a /= 2;"], 'write "a = a div (2)"'),
    (["a //= 2"], 'write "a = a div (2)"'),
    (["a %= b + 1"], 'write "a = a mod (b + 1)"'),
    (["a[i + 1] += 1"], 'write "a = a + b" in full'),
    (["a++"], 'write "a = a + 1"'),
    (["a[0]--"], 'write "a[0] = a[0] - 1"'),
    (["++a"], 'write "a = a + 1"'),
    (["let a = 1"], 'declare a variable with "var a = ..."'),
    (["const SIZE = 30"], 'declare a variable with "var SIZE = ..."'),
    (["int x = 3"], 'declare a variable with "var x = ..."'),
    (["proc f() =", "  global a"], "a proc sees every top-level variable; leave the line out"),
    (["a := 1"], 'write "var a = ..." at first and "a = ..." later'),
    (["var a: int = 1"], 'variables have no types: "var a = ..."'),
    (["a: int = 1"], 'variables have no types: "var a = ..."'),
    (["var a: int"], 'variables have no types, and begin with a value: "var a = 0"'),
    (["var a, b = 1"], 'one variable per line: "var a = 0"'),
    (["var a"], 'a variable begins with a value: "var a = 0"'),
    (["var a == 1"], 'write "=" to give a variable its value'),
    (["a, b = b, a"], "assign one variable per line"),
    (["a == 1"], '"==" compares; to assign write "="'),
    (["if a = 1:"], '"=" assigns; to compare write "=="'),
    (["while f(a) = 1:"], '"=" assigns; to compare write "=="'),
    (["f(a = 1)"], "arguments have no names; give the values in order"),
    (["return a = 1"], '"=" assigns; to compare write "=="'),
    # Numbers.
    (["a = 1.5"], "GWL has integers only; scale the values, e.g. by 100"),
    (["a = .5"], "GWL has integers only; scale the values, e.g. by 100"),
    (["a = 0x1F"], "write 31"),
    (["a = 0b101"], "write 5"),
    (["a = 1_000_000"], "write 1000000"),
    (["a = 1e3"], "write all digits of a number"),
    # Operators.
    (["a = 2 ** 3"], "GWL has no powers; multiply, or use shl(1, n) for a power of 2"),
    (["a = b % 2"], 'the remainder is "mod": a mod b'),
    (["a = b / 2"], 'integer division is "div": a div b'),
    (
        ["a = b + \\", "  c"],
        "a line goes on by itself inside brackets and after an operator; leave out the backslash",
    ),
    (["a = +1"], 'there is no "+" before a value; leave it out'),
    (["a = b ? c : d"], 'GWL has no "a ? b : c"; use an "if" block'),
    (["a = b if c else d"], 'a value cannot depend on an "if"; use an "if" block'),
    (["a = if b: c else: d"], 'a value cannot depend on an "if"; use an "if" block'),
    # Loops.
    (["for (int i = 0; i < 3; i++) {"], 'write "for i in 0 ..< n:"; for other steps use "while"'),
    (["for var i in a:"], 'write "for i in 0 ..< n:"; for other steps use "while"'),
    (["for (i in a):"], 'write "for i in 0 ..< n:" without brackets'),
    (["for i, v in a:"], '"for" has one variable: "for i in 0 ..< len(a):"'),
    (["for i = 0 to 3:"], 'write "for i in 0 ..< n:"'),
    (["for i of a:"], 'write "for i in 0 ..< n:"'),
    (["for i in 0 .. < 3:"], 'write "..<" without a space'),
    (["for i in 0..=3:"], '"a .. b" includes b; leave out the "="'),
    (["for i in 0...3:"], 'a range is "a .. b" with b, or "a ..< b" without'),
    (["for i in 0 .. 9 step 2:"], '"for" counts by 1; for other steps use "while"'),
    (["for i in 0 to 3:"], 'write "for i in 0 ..< n:"'),
    (["loop:"], 'write "while true:"'),
    (["repeat 3:"], 'write "for i in 0 ..< n:"'),
    (["until a:"], 'write "while not (...):" or "if not (...):"'),
    # Branches and blocks.
    (["if a:", "  place()", "else if b:", "  bomb()"], '"else if" is written "elif"'),
    (["if a:", "  place()", "elseif b:", "  bomb()"], '"else if" is written "elif"'),
    (["switch a:"], 'write "if", "elif" and "else"'),
    (["} else if (a) {"], '"else if" is written "elif", with ":" and an indented block'),
    (["} else {"], 'write "else:" and indent its block by 2 spaces'),
    (["a = {}"], "GWL has arrays of integers only: [1, 2, 3]"),
    (["while true {"], 'a block begins with ":" and is indented by 2 spaces, without braces'),
    (["}"], 'a block begins with ":" and is indented by 2 spaces, without braces'),
    (["place();"], 'a statement ends with its line; leave out the ";"'),
    (["place(); bomb()"], 'one statement per line, without ";"'),
    (["if a then:", "  place()"], 'write ":" instead'),
    (["while true do", "  place()"], 'write ":" instead'),
    (["if a", "  place()"], 'add ":" at the end of the header'),
    (["if a: place()"], "put the block on the next line, indented by 2 more spaces"),
    (["if a:", "  pass"], '"discard 0" does nothing; or leave the line out'),
    (["end"], "a block ends where its indentation ends; leave the line out"),
    # Procs and calls.
    (["def f(a):", "  return a"], 'write "proc f(a) =" at the top level'),
    (["def f(a: int) -> int:", "  return a"], 'write "proc f(a, b) =" at the top level'),
    (["function go() {", "}"], 'a block begins with ":" and is indented by 2 spaces, without braces'),
    (["func go():"], 'write "proc go() =" at the top level'),
    (["proc f(a): int ="], 'procs have no result type; write "=" after ")"'),
    (["proc f(a: int): int ="], "parameters have no types; give their names alone"),
    (["proc f(a) -> int ="], 'procs have no result type; write "=" after ")"'),
    (["proc f(a):"], 'a proc header ends with "=", not ":"'),
    (["proc f(a)"], 'add "=" at the end of the header'),
    (["proc f ="], 'write "proc f() ="'),
    (["proc f(a: int) ="], "parameters have no types; give their names alone"),
    (["proc f(a = 1) ="], "parameters have no default values"),
    (["proc f(a) = return a"], "put the body on the next line, indented by 2 more spaces"),
    (["if a:", "  proc f() =", "    place()"], "move the proc out of the block, to the top level"),
    (["var f = lambda a: a"], 'declare a proc of its own: "proc f(a) ="'),
    (["move 1, 0"], 'write "move(1, 0)"'),
    (["place"], 'write "place()"'),
    (["move"], 'write "move(dx, dy)"'),
    (["f(1)(2)"], "only a name can be called; store the result first"),
    (["a.append(1)"], "an array keeps its length; write all its elements out in the literal"),
    (["a = b.length"], "write len(a)"),
    (["a = self.energy"], "GWL has no fields or methods; call f(a) or read a[i]"),
    # Arrays and tuples.
    (["a = [i for i in b]"], "GWL has no comprehensions; write all elements out"),
    (["a = b[1:2]"], "GWL has no slices; an index is one integer"),
    (["a = [1, 2,]"], 'leave out the last ","'),
    (["f(1,)"], 'leave out the last ","'),
    (["proc f() =", "  return 1, 2"], "a proc returns one value; store the others in global variables"),
    (["a = 1, 2"], "GWL has no tuples; an array is [a, b]"),
    (["a = (1, 2)"], "GWL has no tuples; an array is [a, b]"),
    # Jumps.
    (["return"], 'the top level is no proc; put the rest into an "if" block instead'),
    (["discard"], '"discard 0" does nothing'),
    # Things that GWL has not.
    (["import random"], "all builtins are there; leave the line out"),
    (["echo a"], "GWL has no output; leave the line out"),
    (["class Warrior:"], "GWL has only procs and variables"),
    (["try:"], 'GWL has nothing like it; use "if", "while" and "for"'),
    # Layout.
    (["if a:", " \tplace()"], "a tab counts as 2 spaces; indent with spaces alone"),
    (["if a:", "   place()"], "indent by 2 spaces a level: 0, 2, 4 ..."),
    (
        ["if a:", "    place()", "  bomb()"],
        "indent the line like an earlier line of the block that it belongs to",
    ),
    (["if a:", "  place()", "  else:", "  bomb()"], 'indent it like its "if"'),
    (["  place()"], 'begin the line like the one above, or end that with ":"'),
    (["if a:", "  place()", "    bomb()"], 'begin the line like the one above, or end that with ":"'),
    (["if a:", "place()"], "indent the block by 2 more spaces; it needs at least one statement"),
    (["place()"] * 121, "shorten the script; comments and blank lines count too"),
    (["#" * 101], "a line goes on inside brackets and after an operator or a comma"),
    (
        [*("  " * depth + "if a:" for depth in range(9)), "  " * 9 + "place()"],
        'move an inner block into a proc, or join conditions with "and"',
    ),
    # Characters.
    (["a = b – 1"], 'write "-"'),
    (["a = b × 2"], 'write "*"'),
    (["a = b ÷ 2"], 'write "div"'),
    (["for i in 0…3:"], 'a range is "a .. b" with b, or "a ..< b" without'),
    (["\ufeffplace()"], "delete the invisible character"),
    (["place()\xa0"], "write an ordinary space"),
    (["a ＝ 1"], 'write the ASCII character "="'),
    (["var größe = 1"], "names consist of the letters a-z and A-Z, digits and _"),
    (["a = →"], "only comments may hold other than ASCII characters"),
    # The general.
    (["a = f(1))"], 'no "(" is open here'),
    (["IF a:"], 'write "if" in lower case'),
    (["whlie true:"], 'did you mean "while"?'),
    (["This is my warrior"], 'begin a remark with "#"'),
    (["attack"], 'to call a proc write "attack()"'),
    (["attack enemy"], 'a call needs brackets: "attack(...)"'),
    (["a + b"], 'store it ("var a = ...") or drop it ("discard ...")'),
]


def _first_hint(lines: list[str]) -> str:
    with pytest.raises(CompileError) as caught:
        compile_source(lines)
    return caught.value.first.hint


@pytest.mark.parametrize(("lines", "hint"), EXAMPLES, ids=[lines[-1][:30] for lines, _ in EXAMPLES])
def test_a_habit_gets_its_hint(lines: list[str], hint: str) -> None:
    assert _first_hint(lines) == hint


def test_every_entry_of_the_table_helps_somebody() -> None:
    used = set()
    for lines, _ in EXAMPLES:
        with pytest.raises(CompileError) as caught:
            compile_source(lines)
        error = caught.value.first
        found = find_entry(error.code, error.source, error.column)
        used.add(found[0] if found else None)
    assert len(HINTS) > 100
    assert [hint for hint in HINTS if hint not in used] == []


@pytest.mark.parametrize("line", ["a = 1 2", "var for = 1", "x y z = {{{}}}", "a = 0x", "a = 9_", "f(]{0})"])
def test_no_hint_is_made_of_what_does_not_fit(line: str) -> None:
    assert "{" not in _first_hint([line]).replace('"{"', "")
