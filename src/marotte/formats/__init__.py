"""Files in and out.

Belongs here: one module or folder a format, and what formats share (units, axes, notes). A new
format is such a module and one entry in `_registry.py`.
Does not belong here: anything that changes a motion, or that knows a window, a stream or a page.
"""

from ._asked import Asked
from ._contacts_file import contacts_file_of, load_contacts, save_contacts
from ._files import inspect, load, save
from ._notes import FileWarning, Progress
from ._presets import preset_folder, save_rig
from ._registry import FORMATS, Format, format_of, options_of
from ._scene import load_scene
from ._summary import Summary
from .units import UNITS, unit_factor

__all__ = [
    "FORMATS",
    "UNITS",
    "Asked",
    "FileWarning",
    "Format",
    "Progress",
    "Summary",
    "contacts_file_of",
    "format_of",
    "inspect",
    "load",
    "load_contacts",
    "load_scene",
    "options_of",
    "preset_folder",
    "save",
    "save_contacts",
    "save_rig",
    "unit_factor",
]
