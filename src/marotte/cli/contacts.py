"""marotte contacts: who rests when on what."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import InputError
from ._console import note, print_json, print_table, say
from ._formats import Reading, reading_options
from ._takes import A_FILE


@click.command()
@click.argument("file", metavar="FILE", type=A_FILE)
@click.option("--detect", is_flag=True, help="Find them anew, even if FILE brings its own.")
@click.option(
    "--scene", metavar="FILE", type=A_FILE, help="What is there to rest on; level ground if left out."
)
@click.option("--parts", is_flag=True, help="List heel, ball and tip of each foot on their own.")
@click.option(
    "--output", "-o", metavar="OUT", type=A_FILE,
    help="Contact file to write; TAKE.contacts.yaml beside TAKE.bvh is read with it from then on.",
)  # fmt: skip
@reading_options
@click.option("--json", is_flag=True, help="Print for a script.")
def contacts(
    file: Path,
    detect: bool,
    scene: Path | None,
    parts: bool,
    output: Path | None,
    reading: Reading,
    json: bool,
) -> None:
    """List when feet, hands and knees of a take rest, and on what.

    Example: marotte contacts walk.bvh -o walk.contacts.yaml
    """
    from ..figure import contact_phases, detect_contacts
    from ..formats import load_scene, save_contacts

    if output is not None and not output.name.endswith(".contacts.yaml"):
        raise InputError(f"-o must name a file that ends in .contacts.yaml, but is {str(output)!r}")
    if scene is not None and not detect:
        detect = True  # what a scene is given for
    reading.check([file])
    motion = reading.load(file)
    for text in motion.source.notes:
        note(text)
    ground = None if scene is None else load_scene(scene)
    own = motion.contacts is not None and not detect
    found = motion.contacts if own else detect_contacts(motion, scene=ground)
    motion = motion.with_(contacts=found)
    phases = contact_phases(motion, scene=ground) if parts else ()
    if output is not None:
        save_contacts(motion, output)
    if json:
        answer = {
            "path": str(file),
            "frames": len(motion),
            "frame_rate": motion.frame_rate,
            "detected": not own,
            "contacts": [
                {"role": c.role, "first": c.first, "last": c.last, "on": c.on} for c in motion.contacts or ()
            ],
        }
        if parts:
            answer["phases"] = [
                {
                    "role": p.role, "part": p.part, "first": p.first, "last": p.last, "on": p.on,
                    "joint": motion.skeleton.names[p.joint], "offset": list(p.offset),
                    "place": list(p.place),
                }
                for p in phases
            ]  # fmt: skip
        print_json(answer)
    else:
        rate = motion.frame_rate
        listed = [(p.role, p.part, p.first, p.last, p.on) for p in phases]
        if not parts:
            listed = [(c.role, "", c.first, c.last, c.on) for c in motion.contacts or ()]
        rows = [
            [role, part, str(first), str(last), f"{(last - first + 1) / rate:.2f}", on or "ground"]
            for role, part, first, last, on in listed
        ]
        print_table(["rests", "part", "first", "last", "seconds", "on"], rows, right=(2, 3, 4))
        say(f"{len(motion.contacts or ())} contacts in {len(motion)} frames, {'its own' if own else 'found'}")
    if output is not None:
        say(f"wrote {output}")
