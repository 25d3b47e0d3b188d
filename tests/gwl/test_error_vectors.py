"""Which scripts compile, and the error that counts in the others, by every golden vector."""

from __future__ import annotations

import pytest

from gwl import CompileError, Diagnostic, compile_source
from tests.gwl.vector_files import Case, read_cases


def _find_first_error(case: Case) -> Diagnostic | None:
    try:
        compile_source(case["script"])
    except CompileError as error:
        return error.first
    return None


def test_what_compiles_is_fixed_by_the_vectors() -> None:
    cases = read_cases("compile")
    assert len(cases) > 1700
    wrong = [case["id"] for case in cases if (_find_first_error(case) is None) is not case["expect"]["ok"]]
    assert wrong == []


def test_the_first_error_has_the_line_and_the_code_of_the_vectors() -> None:
    cases = [case for case in read_cases("compile") if "code" in case["expect"]]
    assert len(cases) > 700
    wrong = [case["id"] for case in cases if _describe(_find_first_error(case)) != case["expect"]]
    assert wrong == []


def _describe(error: Diagnostic | None) -> Case:
    return {"ok": True} if error is None else {"ok": False, "line": error.line, "code": error.code}


def test_of_several_errors_a_lexical_one_counts_first_and_then_the_first_in_the_source() -> None:
    found = {
        case["id"]: _find_first_error(case)
        for case in read_cases("compile")
        if case["group"] == "error_order"
    }
    assert {key: (error.line, str(error.code)) for key, error in found.items() if error} == {
        "c1087": (2, "bad-character"),
        "c1088": (1, "break-outside"),
        "c1089": (3, "duplicate-proc"),
        "c1090": (1, "break-outside"),
        "c1091": (1, "return-outside"),
        "c1092": (2, "break-outside"),
        "c1093": (1, "odd-indent"),
        "c1094": (1, "int-range"),
        "c1095": (3, "expected-token"),
        "c1096": (2, "expected-token"),
        "c1097": (3, "expected-token"),
    }


@pytest.mark.parametrize("ok", [False, True])
def test_both_verdicts_are_among_the_vectors(ok: bool) -> None:
    assert any(case["expect"]["ok"] is ok for case in read_cases("compile"))
