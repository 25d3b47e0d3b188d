"""What a template may hold: data that exists, and nothing that acts."""

from __future__ import annotations

import time

import jinja2
import pytest

from gridwars.benchmarks.registry import get_benchmark
from gridwars.prompting import Prompter, PromptError
from gridwars.prompting.environment import MOST_CHARACTERS, make_environment, render
from gridwars.prompting.folder import prompts_path
from gridwars.prompting.strategy import parse_strategy
from gridwars.prompting.templates import compile_templates, load_templates

GRID_WARS = get_benchmark("grid-wars")
HEAD = '+++\nname = "mine"\nversion = 1\nnotes = ""\n+++\n'


def load(body: str) -> Prompter:
    return Prompter(parse_strategy(HEAD + body, "mine.md"), load_templates(GRID_WARS, prompts_path()))


@pytest.mark.parametrize(
    "body",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ seen.__class__ }}",
        "{{ seen['__class__'] }}",
        "{{ seen.notes.__class__.__mro__[1].__subclasses__() }}",
        "{{ (seen.notes|trim).__class__ }}",
        "{{ seen.items() }}",
        "{{ seen.notes.upper() }}",
        "{{ self.__init__.__globals__ }}",
        "{{ cycler.__init__ }}",
        "{{ lipsum() }}",
        "{{ range(3) }}",
        "{{ seen.table|map(attribute='__class__')|join }}",
        "{{ seen|attr('__class__') }}",
        "{{ 'a' * 1000000000 }}",
        "{{ 10 ** 1000000000 }}",
        "{{ '%999999999d' % 1 }}",
        "{{ 'a' ~ 'b' }}",
        "{% set a = 1 %}",
        "{% macro a() %}{% endmacro %}",
        "{% include 'grid_wars/system.md.j2' %}",
        "{% import 'grid_wars/system.md.j2' as a %}",
        "{% extends 'grid_wars/system.md.j2' %}",
        "{% block a %}{% endblock %}",
        "{% filter upper %}a{% endfilter %}",
        "{% for a in seen.table recursive %}{{ loop(seen.table) }}{% endfor %}",
        "{% for a in seen.board %}" * 3 + "{% endfor %}" * 3,
        "{% for a, b in seen.table %}{% endfor %}",
        "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
    ],
)
def test_what_could_do_more_than_show_data_is_refused(body: str) -> None:
    with pytest.raises(PromptError, match=r"^mine\.md"):
        load(body)


@pytest.mark.parametrize(
    ("body", "line", "said"),
    [
        ("a\n{{ sen.round }}", 7, 'did you mean "seen"?'),
        ("{{ seen.scirpt }}", 6, 'did you mean "script"?'),
        ("{% if seen.round == 5 %}\n{{ seen.diagnostics.fault }}{% endif %}", 7, 'called "fault"'),
        ("{% for row in seen.table %}\n{{ row.alis }}\n{% endfor %}", 7, 'did you mean "alias"?'),
        ("{% for row in seen.table %}{% else %}{{ row }}{% endfor %}", 6, 'called "row"'),
        ("{% for row in seen.table if row.live %}{% endfor %}", 6, 'called "live"'),
        ("{{ seen.table[0].alis }}", 6, 'did you mean "alias"?'),
        ("{{ rules.board_siz }}", 6, 'did you mean "board_size"?'),
        ("{{ seen.round.value }}", 6, 'no "value"'),
        ("{{ loop.index }}", 6, 'called "loop"'),
        ("{{ strategy }}", 6, 'called "strategy"'),
        ("{{ seen.notes|shout }}", 6, "shout"),
        ("{{ seen.round is defined }}", 6, "defined"),
        ("{% if %}", 6, "Expected an expression"),
        ("\n\n{{ seen.round", 8, "unexpected"),
        ("a\n{{ seen.round + seen.alias }}", 7, "unsupported operand"),
        ("a\n{{ rules.board_size // 0 }}", 7, "division or modulo by zero (with rules.board_size = 30)"),
        ("{{ seen.round|sum }}", 6, "not iterable"),
        ("{{ seen.board[seen.round // 0] }}", 6, "zero"),
    ],
)
def test_mistakes_are_found_before_play_and_placed(body: str, line: int, said: str) -> None:
    with pytest.raises(PromptError) as error:
        load(body)
    assert str(error.value).startswith(f"mine.md:{line}: ")
    assert said in str(error.value)


@pytest.mark.parametrize(
    "body",
    [
        "{% if seen.diagnostics and seen.diagnostics.fallback %}{{ seen.diagnostics.reason }}{% endif %}",
        "{% for row in seen.table if row.kills > 0 %}{{ loop.index }}: {{ row.alias }}{% endfor %}",
        "{{ seen.board[seen.round] if seen.board else 'none' }}",
        "{{ seen.script|length }} {{ seen.table[0].round_scores|join(' ') }} {{ seen.ticks // 2 - 1 }}",
        "{% if seen.round in [1, 2] or not seen.notes is none %}{{ -seen.round }}{% endif %}",
        "{# a remark #}{% raw %}{{ no template }}{% endraw %}",
    ],
)
def test_data_conditions_and_loops_are_taken(body: str) -> None:
    load(body)


def make(source: str) -> jinja2.Template:
    return make_environment(jinja2.DictLoader({})).from_string(source)


def test_unknown_names_raise_even_where_nothing_was_checked() -> None:
    for source in ("{{ nothing }}", "{{ seen.nothing }}", "{% if nothing %}{% endif %}", "{{ seen.a.b }}"):
        with pytest.raises(PromptError, match=r"a\.md:1: "):
            render(make(source), "a.md", {"seen": {"a": "text"}})


def test_keys_win_over_the_methods_of_a_dictionary() -> None:
    assert render(make("{{ seen.items }}{{ seen.keys }}"), "a.md", {"seen": {"items": 1, "keys": 2}}) == "12"


def test_too_long_a_text_is_refused() -> None:
    template = make("{% for a in rows %}{% for b in rows %}0123456789{% endfor %}{% endfor %}")
    with pytest.raises(PromptError, match=f"more than {MOST_CHARACTERS} characters"):
        render(template, "a.md", {"rows": ["x"] * 1000})


@pytest.mark.parametrize(
    "source",
    [
        "{% for a in rows %}{% for b in rows %}{% endfor %}{% endfor %}",
        "{% for a in 'LONG' %}{% for b in 'LONG' %}{% if a == b %}{% endif %}{% endfor %}{% endfor %}",
        "{% for a in rows %}{{ (rows|join('LONG'))|length }}{% endfor %}",
        "{{ rows|join('LONG')|join('LONG')|length }}",
        "{{ ('LONG' + 'LONG' + 'LONG')|length }}",
        "{{ [rows, rows]|sum|length }}",
        "{{ rows|join|numbered|numbered|numbered|numbered|numbered|length }}",
        "{{ 1 // 0 }}",
    ],
)
def test_work_is_bounded_even_where_nothing_is_written(source: str) -> None:
    template = make(source.replace("LONG", "x" * 40_000))
    started = time.process_time()
    with pytest.raises(PromptError, match=r"a\.md:1: "):
        render(template, "a.md", {"rows": ["x"] * 1000})
    assert time.process_time() - started < 2


def test_includes_that_go_round_are_refused() -> None:
    texts = {**load_templates(GRID_WARS, prompts_path()).sources}
    texts["grid_wars/repair.md.j2"] = "{% include 'grid_wars/round.md.j2' %}"
    texts["grid_wars/round.md.j2"] = "{% include 'grid_wars/repair.md.j2' %}"
    with pytest.raises(PromptError, match="includes itself"):
        compile_templates(GRID_WARS, tuple(texts.items()), "the log's ")


def test_what_looks_like_a_template_inside_a_value_stays_text() -> None:
    text = "{{ seen.secret }}{% for a in b %}{# c #}"
    assert render(make("{{ seen.text }}"), "a.md", {"seen": {"text": text, "secret": "s"}}) == text
