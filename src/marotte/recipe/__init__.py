"""Recipes: edits as data, from a file to a motion.

Belongs here: reading, writing and applying lists of edits, over one take or a folder of them.
Does not belong here: the edits themselves, and anything that talks to a terminal or a browser.
"""

from ._recipe import Recipe

__all__ = ["Recipe"]
