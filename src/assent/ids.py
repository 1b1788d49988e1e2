"""Ids: UUID version 7, so that they sort by the time they were made."""

import os
import time
from uuid import UUID


def new_id() -> UUID:
    milliseconds = time.time_ns() // 1_000_000
    random = int.from_bytes(os.urandom(10))
    return uuid7(milliseconds, random)


def uuid7(milliseconds: int, random: int) -> UUID:
    """Compose a version 7 UUID from 48 bits of time and 74 bits of the given 80 random ones."""
    value = (milliseconds & 0xFFFF_FFFF_FFFF) << 80
    value |= 0x7 << 76
    value |= (random >> 68 & 0xFFF) << 64
    value |= 0b10 << 62
    value |= random & 0x3FFF_FFFF_FFFF_FFFF
    return UUID(int=value)
