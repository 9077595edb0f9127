"""Oracles: the plainest way to compute a thing, written to be read, never to be fast.

None of them shares code with what it judges: rotations are matrices here, loops are loops.
"""
