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
from .dance import dance
from .drink import drink
from .drum import drum
from .golf_swing import golf_swing
from .handstand import handstand
from .jump import jump
from .knock import knock
from .pick_up import pick_up
from .reach import reach
from .rope_climb import rope_climb
from .run import run
from .shot_put import shot_put
from .sway import sway
from .throw import throw
from .walk import walk
from .walking_jump import walking_jump
from .wave import wave

__all__ = [
    "Take",
    "TakeOptions",
    "character",
    "characters",
    "crawl",
    "dance",
    "drink",
    "drum",
    "golf_swing",
    "handstand",
    "jump",
    "knock",
    "make",
    "names",
    "options",
    "pick_up",
    "reach",
    "rope_climb",
    "run",
    "shot_put",
    "summary",
    "sway",
    "throw",
    "walk",
    "walking_jump",
    "wave",
]
