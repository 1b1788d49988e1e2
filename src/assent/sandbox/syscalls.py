"""Which system calls a script may not make, as a filter that the kernel runs. Pure.

Namespaces, limits and dropped rights already take away what these calls would give; the filter
keeps a hole in one of those from mattering, and closes what no limit counts: memory in files
without a name and in System V segments, and sockets.
"""

import struct

MACHINES = {
    "x86_64": (
        0xC000003E,
        {
            "clone": 56,
            "clone3": 435,
            "socket": 41,
            "memfd_create": 319,
            "memfd_secret": 447,
            "shmget": 29,
            "semget": 64,
            "msgget": 68,
            "mq_open": 240,
            "ptrace": 101,
            "process_vm_readv": 310,
            "process_vm_writev": 311,
            "kcmp": 312,
            "pidfd_getfd": 438,
            "mount": 165,
            "umount2": 166,
            "pivot_root": 155,
            "chroot": 161,
            "move_mount": 429,
            "open_tree": 428,
            "fsopen": 430,
            "fsconfig": 431,
            "fsmount": 432,
            "fspick": 433,
            "mount_setattr": 442,
            "unshare": 272,
            "setns": 308,
            "name_to_handle_at": 303,
            "open_by_handle_at": 304,
            "bpf": 321,
            "perf_event_open": 298,
            "userfaultfd": 323,
            "fanotify_init": 300,
            "io_uring_setup": 425,
            "io_uring_enter": 426,
            "io_uring_register": 427,
            "keyctl": 250,
            "add_key": 248,
            "request_key": 249,
            "init_module": 175,
            "finit_module": 313,
            "delete_module": 176,
            "kexec_load": 246,
            "kexec_file_load": 320,
            "reboot": 169,
            "swapon": 167,
            "swapoff": 168,
            "acct": 163,
            "quotactl": 179,
            "quotactl_fd": 443,
            "personality": 135,
            "syslog": 103,
            "vhangup": 153,
            "lookup_dcookie": 212,
            "iopl": 172,
            "ioperm": 173,
            "modify_ldt": 154,
            "uselib": 134,
        },
    ),
    "aarch64": (
        0xC00000B7,
        {
            "clone": 220,
            "clone3": 435,
            "socket": 198,
            "memfd_create": 279,
            "memfd_secret": 447,
            "shmget": 194,
            "semget": 190,
            "msgget": 186,
            "mq_open": 180,
            "ptrace": 117,
            "process_vm_readv": 270,
            "process_vm_writev": 271,
            "kcmp": 272,
            "pidfd_getfd": 438,
            "mount": 40,
            "umount2": 39,
            "pivot_root": 41,
            "chroot": 51,
            "move_mount": 429,
            "open_tree": 428,
            "fsopen": 430,
            "fsconfig": 431,
            "fsmount": 432,
            "fspick": 433,
            "mount_setattr": 442,
            "unshare": 97,
            "setns": 268,
            "name_to_handle_at": 264,
            "open_by_handle_at": 265,
            "bpf": 280,
            "perf_event_open": 241,
            "userfaultfd": 282,
            "fanotify_init": 262,
            "io_uring_setup": 425,
            "io_uring_enter": 426,
            "io_uring_register": 427,
            "keyctl": 219,
            "add_key": 217,
            "request_key": 218,
            "init_module": 105,
            "finit_module": 273,
            "delete_module": 106,
            "kexec_load": 104,
            "kexec_file_load": 294,
            "reboot": 142,
            "swapon": 224,
            "swapoff": 225,
            "acct": 89,
            "quotactl": 60,
            "quotactl_fd": 443,
            "personality": 92,
            "syslog": 116,
            "vhangup": 58,
            "lookup_dcookie": 18,
        },
    ),
}
"""The machine's name in the kernel's audit, and the numbers of its calls."""

SPECIAL = ("clone", "clone3")
NEW_NAMESPACES = 0x7E020000
X32 = 0x40000000
"""Calls of the x32 ABI have this bit set, and the same numbers mean other calls."""

LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER_AT, MACHINE_AT, FIRST_ARGUMENT_AT = 0, 4, 16
ALLOW, END_PROCESS = 0x7FFF0000, 0x80000000
NOT_PERMITTED, NOT_KNOWN = 0x00050000 | 1, 0x00050000 | 38


def build_filter(machine: str) -> bytes | None:
    """For the kernel, or nothing for a machine whose calls are not known here.

    `clone3` does not exist, so that the C library falls back to `clone`, whose flags can be read.
    """
    if machine not in MACHINES:
        return None
    name, calls = MACHINES[machine]
    program = [
        _step(LOAD, MACHINE_AT),
        _step(JUMP_EQUAL, name, 1, 0),
        _step(RETURN, END_PROCESS),
        _step(LOAD, NUMBER_AT),
        _step(JUMP_AT_LEAST, X32, 0, 1),
        _step(RETURN, END_PROCESS),
        _step(JUMP_EQUAL, calls["clone3"], 0, 1),
        _step(RETURN, NOT_KNOWN),
    ]
    for number in sorted(number for call, number in calls.items() if call not in SPECIAL):
        program += [_step(JUMP_EQUAL, number, 0, 1), _step(RETURN, NOT_PERMITTED)]
    program += [
        _step(JUMP_EQUAL, calls["clone"], 0, 3),
        _step(LOAD, FIRST_ARGUMENT_AT),
        _step(JUMP_ANY_BIT, NEW_NAMESPACES, 0, 1),
        _step(RETURN, NOT_PERMITTED),
        _step(RETURN, ALLOW),
    ]
    return b"".join(program)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)
