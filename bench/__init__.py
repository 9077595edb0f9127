"""Marotte beside its peers, in one run on one machine.

Belongs here: `bench_*.py`, one subject each, with NAME and run() -> list[Row]. Every comparison first
makes sure that both give the same answer. Does not belong here: anything a test asserts.
"""
