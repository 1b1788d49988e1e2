"""Argon2id with the smallest parameters, which counts how often it was asked."""

from argon2 import PasswordHasher

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class CountingHasher:
    def __init__(self) -> None:
        self.hashed = 0
        self.verified = 0

    def hash(self, password: str) -> str:
        self.hashed += 1
        return QUICK.hash(password)

    def verify(self, password_hash: str, password: str) -> bool:
        self.verified += 1
        return QUICK.verify(password_hash, password)

    def check_needs_rehash(self, password_hash: str) -> bool:
        return QUICK.check_needs_rehash(password_hash)
