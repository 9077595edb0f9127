"""The Studio's server: the page in the browser and what it asks for, on this machine only.

Belongs here: routes, who may ask, the list of takes that a Studio has, compiling in the background.
Does not belong here: what a browser is told about a take (viewer/), the page itself (web/).
"""

from ._serve import serve

__all__ = ["serve"]
