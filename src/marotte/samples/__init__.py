"""Built-in takes and characters: motion and figures that need no download.

Belongs here: procedural motion, its options, and the machinery it is made with.
Does not belong here: edits of given motion, retargeting, files.

    from marotte import samples

    walk = samples.walk(style="tired", seconds=4)
    samples.names(), samples.options("walk"), samples.make("walk", style="sneak")
    samples.character("performer")
"""

from ._registry import make, names, options, summary
from ._take import Take, TakeOptions
from .characters import character, characters
from .crawl import crawl
from .drink import drink
from .drum import drum
from .dance import dance
from .golf_swing import golf_swing
from .handstand import handstand
from .knock import knock
from .reach import reach
from .pick_up import pick_up
from .rope_climb import rope_climb
from .run import run
from .sway import sway
from .walk import walk
from .wave import wave

__all__ = [
    "Take",
    "TakeOptions",
    "character",
    "characters",
    "crawl",
    "drink",
    "drum",
    "dance",
    "golf_swing",
    "handstand",
    "knock",
    "make",
    "names",
    "options",
    "reach",
    "pick_up",
    "rope_climb",
    "run",
    "summary",
    "sway",
    "walk",
    "wave",
]
