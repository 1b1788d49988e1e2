"""The machine that figures come from: without it they mean nothing."""

import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from assent.db.operating_system import IS_LINUX

CPU_INFO = Path("/proc/cpuinfo")
MODEL = "model name"
BRAND = ("/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string")


def describe_machine() -> dict[str, Any]:
    """All but the version of Postgres, which only Postgres knows."""
    return {
        "cores": count_cores(),
        "cpu": _find_cpu(),
        "memoryBytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "loadBefore": [round(one, 2) for one in os.getloadavg()],
    }


def count_cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if IS_LINUX else os.cpu_count() or 1


def _find_cpu() -> str:
    if IS_LINUX:
        for line in CPU_INFO.read_text().splitlines():
            name, _, value = line.partition(":")
            if name.strip() == MODEL:
                return " ".join(value.split())
        return platform.machine()
    found = subprocess.run(BRAND, capture_output=True, text=True, check=False)  # noqa: S603
    return found.stdout.strip() or platform.machine()
