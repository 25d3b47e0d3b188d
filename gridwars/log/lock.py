"""Lock files: at most one process at a time writes a log, or plays a run."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import filelock


def acquire_lock(path: Path) -> filelock.BaseFileLock:
    """Holds a lock file, which is made where there is none.

    Raises:
        filelock.Timeout: where another process holds it.
        OSError: where it cannot be made.
    """
    lock = filelock.FileLock(path, timeout=0, thread_local=False)
    try:
        lock.acquire()
    except filelock.Timeout:
        if path.exists():
            raise
        # Some file systems, such as /proc, say of a new file that it does not exist, which looks like a race.
        raise OSError(errno.EACCES, os.strerror(errno.EACCES), str(path)) from None
    return lock
