"""Checks logs without trusting them: first the chain, then everything recorded is derived again.

The second path to the same result: it shares nothing with the harness that played. `audit_log` checks one
log or foreign recording.
"""

from __future__ import annotations

from gridwars.audit.logs import audit_log
from gridwars.audit.many import audit_many, expand_paths
from gridwars.audit.report import AuditReport, AuditStatus, find_worst

__all__ = ["AuditReport", "AuditStatus", "audit_log", "audit_many", "expand_paths", "find_worst"]
