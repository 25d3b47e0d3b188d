"""The size limits of GWL v1 (sections 1, 2, 4 and 5), each named once."""

MAX_LINES = 120
MAX_LINE_LENGTH = 100
"""Code points per line; a tab counts as one."""
MAX_SOURCE_LENGTH = 4000
"""Code points in all, each line counting its length plus one."""
MAX_INTEGER = 2**63 - 1
MIN_INTEGER = -(2**63)
MAX_NESTING = 8
"""A block at depth 9 is an error; top-level statements are at depth 0."""
MAX_PROCS = 32
MAX_NODES = 4000
MAX_ARRAY_ELEMENTS = 4096
"""Elements of all arrays of one machine together."""
MAX_CALL_DEPTH = 64
INSTRUCTIONS_PER_TICK = 2000
