"""Checks logs without trusting them: first the chain, then everything recorded is derived again.

The second path to the same result: it shares nothing with the harness that played. `audit_log` checks one
log or foreign recording, `audit_many` many, and `audit_runs` whether the logs of a folder are a whole run.
"""

from __future__ import annotations

from gridwars.audit.logs import audit_log
from gridwars.audit.many import audit_many, expand_paths
from gridwars.audit.report import AuditReport, AuditStatus, find_worst
from gridwars.audit.runs import audit_runs

__all__ = [
    "AuditReport",
    "AuditStatus",
    "audit_log",
    "audit_many",
    "audit_runs",
    "expand_paths",
    "find_worst",
]
