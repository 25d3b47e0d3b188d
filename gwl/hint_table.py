"""What people and models write out of habit from other languages, and how GWL says it: one table.

The first entry that fits gives the hint, so the special stands before the general.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from gwl.errors import ErrorCode
from gwl.hint_words import (
    name_ascii_twin,
    name_closest_keyword,
    name_decimal,
    name_lower_case,
    name_surplus_closer,
)

Text = str | Callable[[re.Match[str]], str]


@dataclass(frozen=True, slots=True)
class Hint:
    """One habit.

    Attributes:
        pattern: tried at the column of the error, or searched in its whole line.
        text: the hint, with the pattern's groups to be filled in; or what makes it, "" for none.
        anchored: whether the pattern is tried at the error only.
        codes: the errors it may explain; none stands for all.
    """

    pattern: re.Pattern[str]
    text: Text
    anchored: bool
    codes: frozenset[ErrorCode]


def _at(pattern: str, text: Text, *codes: ErrorCode) -> Hint:
    return Hint(re.compile(pattern), text, True, frozenset(codes))


def _line(pattern: str, text: Text, *codes: ErrorCode) -> Hint:
    return Hint(re.compile(pattern), text, False, frozenset(codes))


_CHARACTER = ErrorCode.BAD_CHARACTER
_EXPRESSION = ErrorCode.BAD_EXPRESSION
_NO_OPERAND = ErrorCode.NOT_AN_EXPRESSION
_UNUSED = ErrorCode.EXPRESSION_STATEMENT
_STATEMENT = ErrorCode.BAD_STATEMENT
_TOKEN = ErrorCode.EXPECTED_TOKEN
_TRAILING = ErrorCode.TRAILING_TOKENS
_NAME = ErrorCode.EXPECTED_NAME

HINTS = (
    # Around the script.
    _line(r"^\s*```", "send the script alone, without Markdown fences", _CHARACTER),
    _line(r"^\s*\d+\s*[:|)>.]", "leave out the line numbers", _CHARACTER, _STATEMENT),
    _line(r"^\s*\d+\s+[a-z]", "leave out the line numbers", _STATEMENT),
    # Comments and strings.
    _line(
        r"^\s*(?P<target>[A-Za-z_][\w\[\]]*)\s*//?=\s*(?P<rest>[^#]*[^#\s;])",
        'write "{target} = {target} div ({rest})"',
        _CHARACTER,
    ),
    _line(r"^\s*//|[;)]\s*//", 'a comment begins with "#"', _CHARACTER),
    _at(r"//", 'integer division is "div"; a comment begins with "#"', _CHARACTER),
    _at(r"/\*", 'a comment begins with "#" and ends with the line', _CHARACTER),
    _line(r"^\s*(/\*|\*/|\*\s)", 'a comment begins with "#" and ends with the line', _CHARACTER, _STATEMENT),
    _line(r"^\s*(--|<!--)", 'a comment begins with "#"', _STATEMENT, _CHARACTER),
    _line(r"^\s*(\"\"\"|'''|\"|').*", 'GWL has no strings; a comment begins with "#"', _CHARACTER),
    _line(
        r"\b(print|echo|puts|log|console)\b.*[\"'`]",
        "GWL has neither strings nor output; leave the line out",
        _CHARACTER,
    ),
    _at(r"[\"'`\u2018\u2019\u201c\u201d]", "GWL has no strings; use integers as codes", _CHARACTER),
    # Logic and comparison.
    _at(r"&&", 'write "and"', _CHARACTER),
    _at(r"\|\|", 'write "or"', _CHARACTER),
    _at(r"!", 'write "not"', _CHARACTER),
    _at(r"(?<=!=)=", '"!==" is written "!="', _EXPRESSION),
    _at(r"(?<===)=", '"===" is written "=="', _EXPRESSION),
    _at(r"&", 'write "and" between conditions; there is no bitwise "&"', _CHARACTER),
    _at(r"\|", 'write "or" between conditions; there is no bitwise "|"', _CHARACTER),
    _at(r"\^", "GWL has no powers; the bitwise exclusive or of a and b is xor(a, b)", _CHARACTER),
    _at(r"~", 'write "not" before a condition; the bitwise complement of a is -a - 1', _CHARACTER),
    _at(r"(?<=<)>", '"<>" is written "!="', _EXPRESSION),
    _at(r"=<", '"=<" is written "<="', _TOKEN, _TRAILING),
    _at(r"(?<=<=)>", 'GWL has no "<=>"; compare with "<", "==" and ">" one by one', _EXPRESSION),
    _at(r"=>", 'GWL has no "=>"; "greater or equal" is ">="', _TOKEN, _TRAILING),
    _at(r"(?<=<)<", "shift with shl(a, n)", _EXPRESSION),
    _at(r"(?<=>)>", "shift with shr(a, n)", _EXPRESSION),
    _at(r"(?<=-)>", 'GWL has no "->"; a proc header is "proc f(a, b) ="'),
    _at(r"\u2260", 'write "!="', _CHARACTER),
    _at(r"\u2264", 'write "<="', _CHARACTER),
    _at(r"\u2265", 'write ">="', _CHARACTER),
    _at(r"is\s+not\b", 'write "!="', _TOKEN, _TRAILING),
    _at(r"is\b", 'write "=="', _TOKEN, _TRAILING),
    _at(r"equals?\b", 'write "=="', _TOKEN, _TRAILING),
    _at(r"not\s+in\b|in\b", 'GWL has no membership test; go through the array with "for"', _TOKEN, _TRAILING),
    _at(r"xor\b", "write xor(a, b)", _TOKEN, _TRAILING, _UNUSED),
    _at(r"(AND|OR|NOT|DIV|MOD|IN|And|Or|Not|Div|Mod|In)\b", name_lower_case, _TOKEN, _TRAILING),
    # Assignment and declaration.
    _line(
        r"^\s*(?P<target>[A-Za-z_][\w\[\]]*)\s*(?P<op>[-+*])=\s*(?P<rest>\w+)\s*(#|$)",
        'write "{target} = {target} {op} {rest}"',
        _EXPRESSION,
    ),
    _line(
        r"^\s*(?P<target>[A-Za-z_][\w\[\]]*)\s*(?P<op>[-+*])=(?!=)\s*(?P<rest>[^#]*[^#\s])",
        'write "{target} = {target} {op} ({rest})"',
        _EXPRESSION,
    ),
    _line(
        r"^\s*(?P<target>[A-Za-z_][\w\[\]]*)\s*%=\s*(?P<rest>[^#]*[^#\s;])",
        'write "{target} = {target} mod ({rest})"',
        _CHARACTER,
    ),
    _at(r"(?<=[-+*])=", 'write "a = a + b" in full', _EXPRESSION),
    _line(
        r"^\s*(?:(?:\+\+|--)\s*)?(?P<target>[A-Za-z_][\w\[\]]*)\s*(?P<op>[-+])(?P=op)",
        'write "{target} = {target} {op} 1"',
        _EXPRESSION,
    ),
    _line(
        r"^\s*(?P<op>[-+])(?P=op)\s*(?P<target>[A-Za-z_][\w\[\]]*)",
        'write "{target} = {target} {op} 1"',
        _STATEMENT,
    ),
    _line(
        r"^\s*(let|const|auto|int|int64|long|bool|local|mut|static|final|my|dim)\s+(mut\s+)?"
        r"(?P<name>[A-Za-z_]\w*)",
        'declare a variable with "var {name} = ..."',
        _UNUSED,
    ),
    _line(
        r"^\s*(global|nonlocal|extern)\b",
        "a proc sees every top-level variable; leave the line out",
        _UNUSED,
    ),
    _line(
        r"^\s*(?P<name>[A-Za-z_]\w*)\s*:=",
        'write "var {name} = ..." at first and "{name} = ..." later',
        _UNUSED,
    ),
    _line(
        r"^\s*(?:var\s+)?(?P<name>[A-Za-z_]\w*)\s*:\s*[A-Za-z_]\w*\s*=",
        'variables have no types: "var {name} = ..."',
        _UNUSED,
        _TOKEN,
    ),
    _line(
        r"^\s*(?:var\s+)?(?P<name>[A-Za-z_]\w*)\s*:\s*[A-Za-z_]\w*\s*(#|$)",
        'variables have no types, and begin with a value: "var {name} = 0"',
        _UNUSED,
        _TOKEN,
    ),
    _line(r"^\s*var\s+\w+\s*,", 'one variable per line: "var a = 0"', _TOKEN),
    _line(r"^\s*var\s+(?P<name>\w+)\s*(#|$)", 'a variable begins with a value: "var {name} = 0"', _TOKEN),
    _line(r"^\s*var\s+\w+\s*==", 'write "=" to give a variable its value', _TOKEN),
    _line(r"^\s*\w+\s*,\s*\w+.*=", "assign one variable per line", _UNUSED),
    _line(r"^\s*\w[\w\[\]]*\s*==", '"==" compares; to assign write "="', _UNUSED),
    _line(r"^\s*(if|elif|while)\b.*[^=!<>]=[^=]", '"=" assigns; to compare write "=="', _TOKEN),
    _line(r"^\s*\w+\s*\(\s*\w+\s*=[^=]", "arguments have no names; give the values in order", _TOKEN),
    # Numbers.
    _at(
        r"(?<!\.)\.(?=[0-9])",
        "GWL has integers only; scale the values, e.g. by 100",
        _CHARACTER,
    ),
    _at(r"(?<=[0-9])[A-Za-z_]\w*", name_decimal, _TRAILING, _TOKEN),
    # Operators.
    _at(r"(?<=\*)\*", "GWL has no powers; multiply, or use shl(1, n) for a power of 2", _EXPRESSION),
    _at(r"%", 'the remainder is "mod": a mod b', _CHARACTER),
    _at(r"/", 'integer division is "div": a div b', _CHARACTER),
    _at(r"\\\s*$", "a line goes on by itself inside brackets and after an operator; leave out the backslash"),
    _at(r"\+", 'there is no "+" before a value; leave it out', _EXPRESSION),
    _at(r"\?", 'GWL has no "a ? b : c"; use an "if" block', _CHARACTER),
    _at(r"if\b|then\b", 'a value cannot depend on an "if"; use an "if" block', _TRAILING, _NO_OPERAND),
    # Loops.
    _line(
        r"^\s*for\s*\(?\s*(var|let|int)\b|^\s*for\s*\(.*;",
        'write "for i in 0 ..< n:"; for other steps use "while"',
        _NAME,
        _CHARACTER,
    ),
    _line(r"^\s*for\s*\(", 'write "for i in 0 ..< n:" without brackets', _NAME),
    _line(r"^\s*for\s+\w+\s*,", '"for" has one variable: "for i in 0 ..< len(a):"', _TOKEN),
    _line(r"^\s*for\s+\w+\s*(=|:=|of\b|from\b|to\b)", 'write "for i in 0 ..< n:"', _TOKEN),
    _line(r"^\s*for\b.*\.\.\s+<", 'write "..<" without a space', _EXPRESSION),
    _line(r"^\s*for\b.*\.\.=", '"a .. b" includes b; leave out the "="', _EXPRESSION),
    _line(r"\.\.\.", 'a range is "a .. b" with b, or "a ..< b" without', _CHARACTER),
    _line(r"^\s*for\b.*\b(step|by)\b", '"for" counts by 1; for other steps use "while"', _TOKEN),
    _line(r"^\s*for\b.*\b(to|until|upto|downto)\b", 'write "for i in 0 ..< n:"', _TOKEN),
    _line(r"^\s*(loop|forever|repeat|do)\s*(:|$|#)", 'write "while true:"', _UNUSED),
    _line(r"^\s*(repeat|times|foreach|each)\b", 'write "for i in 0 ..< n:"', _UNUSED),
    _line(r"^\s*(until|unless)\b", 'write "while not (...):" or "if not (...):"', _UNUSED),
    # Branches and blocks.
    _at(r"if\b", '"else if" is written "elif"', _TOKEN),
    _line(r"^\s*(elseif|elsif|elif|elsei)\b", '"else if" is written "elif"', _UNUSED),
    _line(r"^\s*(switch|match|case|when|select|default)\b", 'write "if", "elif" and "else"', _UNUSED),
    _line(r"\belse\s+if\b", '"else if" is written "elif", with ":" and an indented block', _CHARACTER),
    _line(r"\belse\s*\{|\}\s*else\b", 'write "else:" and indent its block by 2 spaces', _CHARACTER),
    _line(r"=\s*\{", "GWL has arrays of integers only: [1, 2, 3]", _CHARACTER),
    _at(r"[{}]", 'a block begins with ":" and is indented by 2 spaces, without braces', _CHARACTER),
    _at(r";\s*(#|$)", 'a statement ends with its line; leave out the ";"', _CHARACTER),
    _at(r";", 'one statement per line, without ";"', _CHARACTER),
    _line(r"^\s*(if|elif|while|for)\b.*\b(then|do|begin)\b", 'write ":" instead', _TOKEN),
    _line(r"^\s*(if|elif|else|while|for)\b", 'add ":" at the end of the header', _TOKEN),
    _line(
        r"^\s*(if|elif|else|while|for)\b.*:",
        "put the block on the next line, indented by 2 more spaces",
        _TRAILING,
    ),
    _line(r"^\s*(pass|skip|nop|noop)\s*(#|$)", '"discard 0" does nothing; or leave the line out', _UNUSED),
    _line(
        r"^\s*(end|endif|endwhile|endfor|fi|done|next|begin|od)\b",
        "a block ends where its indentation ends; leave the line out",
        _UNUSED,
    ),
    # Procs and calls.
    _line(
        r"^\s*(export\s+|async\s+|public\s+)?(def|function|func|fn|fun|sub|method|void)\s+"
        r"(?P<name>\w+)\s*\((?P<parameters>[\w\s,]*)\)",
        'write "proc {name}({parameters}) =" at the top level',
        _UNUSED,
    ),
    _line(
        r"^\s*(export\s+|async\s+|public\s+)?(def|function|func|fn|fun|sub|method|void)\s+(?P<name>\w+)",
        'write "proc {name}(a, b) =" at the top level',
        _UNUSED,
    ),
    _at(r":\s*\w+\s*=\s*(#|$)", 'procs have no result type; write "=" after ")"', _TOKEN),
    _at(r"->", 'procs have no result type; write "=" after ")"', _TOKEN),
    _at(r"(?<=\)):|(?<=\)\s):", 'a proc header ends with "=", not ":"', _TOKEN),
    _line(r"^\s*proc\s+\w+\s*\([^()]*\)\s*(#|$)", 'add "=" at the end of the header', _TOKEN),
    _line(r"^\s*proc\s+(?P<name>\w+)\s*[=:]", 'write "proc {name}() ="', _TOKEN),
    _line(r"^\s*proc\s+\w+\s*\([^()]*:", "parameters have no types; give their names alone", _TOKEN),
    _line(r"^\s*proc\s+\w+\s*\([^()]*=", "parameters have no default values", _TOKEN),
    _line(r"^\s*proc\b.*=\s*\S", "put the body on the next line, indented by 2 more spaces", _TRAILING),
    _at(r"proc\b", "move the proc out of the block, to the top level", ErrorCode.PROC_NESTED),
    _line(r"\blambda\b|\(\s*\w*\s*\)\s*=>", 'declare a proc of its own: "proc f(a) ="', _TRAILING, _TOKEN),
    _line(
        r"^\s*(?P<name>move)\s+\(?(?P<rest>[^#()]*[^#()\s])\s*(#|$)",
        'write "{name}({rest})"',
        _TOKEN,
    ),
    _line(r"^\s*(?P<name>place|bomb|wait)\b(?!\s*\()", 'write "{name}()"', _TOKEN),
    _line(r"^\s*(?P<name>move)\b(?!\s*\()", 'write "{name}(dx, dy)"', _TOKEN),
    _at(r"(?<=\))\s*\(", "only a name can be called; store the result first", _TRAILING),
    _at(
        r"\.(append|push|add|insert|pop|remove|extend)\b",
        "an array keeps its length; write all its elements out in the literal",
        _CHARACTER,
    ),
    _at(r"\.(length|len|size|count)\b", "write len(a)", _CHARACTER),
    _at(r"(?<=[\w)\]])\s*\.\s*[A-Za-z_]", "GWL has no fields or methods; call f(a) or read a[i]", _CHARACTER),
    # Arrays and tuples.
    _line(r"\[[^\[\]]*\bfor\b", "GWL has no comprehensions; write all elements out", _TOKEN, _NO_OPERAND),
    _line(r"\[[^\[\]]*:", "GWL has no slices; an index is one integer", _TOKEN),
    _line(r",\s*[\])]", 'leave out the last ","', _EXPRESSION),
    _line(r"^\s*return\b.*,", "a proc returns one value; store the others in global variables", _TRAILING),
    _at(r",", "GWL has no tuples; an array is [a, b]", _TRAILING, _TOKEN),
    _at(r"=(?!=)", '"=" assigns; to compare write "=="', _TRAILING, _TOKEN),
    # Jumps.
    _line(
        r"^\s*return\b",
        'the top level is no proc; put the rest into an "if" block instead',
        ErrorCode.RETURN_OUTSIDE,
    ),
    _line(r"^\s*discard\s*(#|$)", '"discard 0" does nothing', _EXPRESSION),
    # Things that GWL has not.
    _line(
        r"^\s*(import|from|include|require|use|using|package)\b",
        "all builtins are there; leave the line out",
        _UNUSED,
    ),
    _line(r"^\s*(print|echo|puts|log|debug)\b", "GWL has no output; leave the line out", _UNUSED),
    _line(r"^\s*(class|struct|type|enum|object|interface)\b", "GWL has only procs and variables", _UNUSED),
    _line(
        r"^\s*(try|catch|except|finally|throw|raise|assert|defer|with|async|await|yield|goto|del)\b",
        'GWL has nothing like it; use "if", "while" and "for"',
        _UNUSED,
    ),
    # Layout.
    _line(
        r"^[ ]*\t",
        "a tab counts as 2 spaces; indent with spaces alone",
        ErrorCode.ODD_INDENT,
        ErrorCode.BAD_DEDENT,
    ),
    _line(r"^", "indent by 2 spaces a level: 0, 2, 4 ...", ErrorCode.ODD_INDENT),
    _line(r"^", "indent the line like an earlier line of the block that it belongs to", ErrorCode.BAD_DEDENT),
    _line(
        r"^\s*(elif|else)\b", 'indent it like its "if"', ErrorCode.UNEXPECTED_INDENT, _STATEMENT, _NO_OPERAND
    ),
    _line(r"^", 'begin the line like the one above, or end that with ":"', ErrorCode.UNEXPECTED_INDENT),
    _at(r"[A-Za-z_]", 'begin the line like the one above, or end that with ":"', _STATEMENT),
    _line(
        r"^", "indent the block by 2 more spaces; it needs at least one statement", ErrorCode.EXPECTED_BLOCK
    ),
    _line(
        r"^",
        "shorten the script; comments and blank lines count too",
        ErrorCode.TOO_MANY_LINES,
        ErrorCode.SOURCE_TOO_LONG,
    ),
    _line(r"^", "a line goes on inside brackets and after an operator or a comma", ErrorCode.LINE_TOO_LONG),
    _line(r"^", 'move an inner block into a proc, or join conditions with "and"', ErrorCode.NESTING),
    # Characters.
    _at(r"[\u2010-\u2015\u2212]", 'write "-"', _CHARACTER),
    _at(r"[\u00d7\u2217\u22c5\u00b7]", 'write "*"', _CHARACTER),
    _at(r"[\u00f7\u2215]", 'write "div"', _CHARACTER),
    _at(r"\u2026", 'a range is "a .. b" with b, or "a ..< b" without', _CHARACTER),
    _at(
        r"[\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\x00-\x1f\x7f]",
        "delete the invisible character",
        _CHARACTER,
    ),
    _at(r"\s", "write an ordinary space", _CHARACTER),
    _at(r"[^\x00-\x7f]", name_ascii_twin, _CHARACTER),
    # The general.
    _at(r"[)\]]", name_surplus_closer, _TRAILING, _UNUSED, _TOKEN),
    _at(r"[A-Za-z]+", name_lower_case, _UNUSED, _TOKEN, _TRAILING),
    _at(r"[A-Za-z]+", name_closest_keyword, _UNUSED, _TOKEN),
    _line(r"^\s*[A-Za-z]+(\s+[A-Za-z]+){2,}", 'begin a remark with "#"', _UNUSED),
    _line(r"^\s*(?P<name>[A-Za-z_]\w*)\s*(#|$)", 'to call a proc write "{name}()"', _UNUSED),
    _line(r"^\s*(?P<name>[A-Za-z_]\w*)\s+[\w(\-]", 'a call needs brackets: "{name}(...)"', _UNUSED),
    _line(r"^", 'store it ("var a = ...") or drop it ("discard ...")', _UNUSED),
)
