"""Grid Wars: a benchmark harness in which language models write warriors for a deterministic arena."""

__version__ = "0.1.0"

LOG_PROTOCOL = "gridwars.log.v1"
"""Format of the event log; raised when a reader of the old one could misread a new log."""
