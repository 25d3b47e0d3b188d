"""Checks a template before it is used: only harmless constructs, and every name is one that exists.

A misspelt name would otherwise be found when its branch is first taken, perhaps in the last round of an
episode that has been paid for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jinja2 import nodes

from gridwars.prompting.errors import PromptError, suggest

MOST_NESTED_LOOPS = 2
LOOP_NAMES = ("first", "index", "index0", "last", "length")

_HARMLESS: tuple[type[nodes.Node], ...] = (
    nodes.Template,
    nodes.Output,
    nodes.TemplateData,
    nodes.If,
    nodes.For,
    nodes.CondExpr,
    nodes.Name,
    nodes.Const,
    nodes.List,
    nodes.Getattr,
    nodes.Getitem,
    nodes.Filter,
    nodes.Test,
    nodes.Compare,
    nodes.Operand,
    nodes.And,
    nodes.Or,
    nodes.Not,
    nodes.Add,
    nodes.Sub,
    nodes.FloorDiv,
    nodes.Neg,
)
"""No call, assignment or macro, and no operator that makes a long text of a short one."""

_WORDS = {"Getattr": "an attribute", "Call": "a call", "Include": "an include", "Assign": "a set"}


class _Unknown:
    """A value that samples do not tell."""


_UNKNOWN = _Unknown()


def check_template(tree: nodes.Template, file: str, sample: Mapping[str, object], *, includes: bool) -> None:
    """Raises for the first thing that a template may not hold, or that does not exist.

    Args:
        file: what an error calls it.
        sample: a context as full as can be: lists with an item, nothing None that may be something.
        includes: whether the template may include others.

    Raises:
        PromptError
    """
    _Check(file, includes).visit(tree, dict(sample), 0)


@dataclass(frozen=True, slots=True)
class _Check:
    file: str
    includes: bool

    def visit(self, node: nodes.Node, scope: dict[str, object], loop_depth: int) -> None:
        match node:
            case nodes.Include(template=nodes.Const()) if self.includes and loop_depth == 0:
                return
            case nodes.For():
                self._visit_loop(node, scope, loop_depth)
                return
            case nodes.Name() | nodes.Getattr() | nodes.Getitem():
                self._find_value(node, scope)
            case _ if not isinstance(node, _HARMLESS):
                kind = type(node).__name__
                word = _WORDS.get(kind, f"this ({kind.lower()})")
                raise self._error(node, f"a prompt template cannot hold {word}; it can only show data")
        for child in node.iter_child_nodes():
            self.visit(child, scope, loop_depth)

    def _visit_loop(self, loop: nodes.For, scope: dict[str, object], loop_depth: int) -> None:
        if loop_depth == MOST_NESTED_LOOPS or loop.recursive:
            raise self._error(loop, f"loops nest at most {MOST_NESTED_LOOPS} deep")
        self.visit(loop.iter, scope, loop_depth)
        if not isinstance(loop.target, nodes.Name):
            raise self._error(loop, "a loop has one variable")
        values = self._find_value(loop.iter, scope)
        item = values[0] if isinstance(values, list | tuple) and values else _UNKNOWN
        inner = scope | {loop.target.name: item, "loop": dict.fromkeys(LOOP_NAMES, 0)}
        for child in [*loop.body, *([loop.test] if loop.test else [])]:
            self.visit(child, inner, loop_depth + 1)
        for child in loop.else_:
            self.visit(child, scope, loop_depth)

    def _find_value(self, node: nodes.Node, scope: Mapping[str, object]) -> object:
        """The sample's value of a path such as `seen.table`; `_UNKNOWN` for any other expression."""
        match node:
            case nodes.Name(name=name):
                return self._find_item(node, scope, name)
            case (
                nodes.Getattr(node=owner, attr=name) | nodes.Getitem(node=owner, arg=nodes.Const(value=name))
            ):
                return self._find_item(node, self._find_owner(owner, scope), name)
            case nodes.Getitem(node=owner):
                self._find_owner(owner, scope)
        return _UNKNOWN

    def _find_owner(self, node: nodes.Node, scope: Mapping[str, object]) -> object:
        if not isinstance(node, nodes.Name | nodes.Getattr | nodes.Getitem):
            raise self._error(node, 'only data has items, as in "seen.table[0].alias"')
        return self._find_value(node, scope)

    def _find_item(self, node: nodes.Node, owner: object, name: object) -> object:
        match owner:
            case Mapping():
                if name in owner:
                    return owner[name]
                raise self._error(node, f'nothing is called "{name}" here; {suggest(str(name), owner)}')
            case list() | tuple() if isinstance(name, int):
                return owner[0] if owner else _UNKNOWN
            case _Unknown():
                return _UNKNOWN
            case _:
                raise self._error(node, f'there is no "{name}" in this value')

    def _error(self, node: nodes.Node, problem: str) -> PromptError:
        return PromptError.at(self.file, node.lineno, problem)
