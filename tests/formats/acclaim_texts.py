"""A small figure as ASF and AMC text, made whole so that each test can break it in one place."""

from __future__ import annotations

import numpy as np

ASF = """\
# by hand
:version 1.10
:name small
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
   a note: of any kind
:root
   order TX TY TZ RX RY RZ
   axis XYZ
   position 0 0 0
   orientation 0 0 0
:bonedata
  begin
     id 1
     name lfemur
     direction 0.34202 -0.939693 0
     length 7.5
     axis 0 0 20  XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0 70.0)
           (-60.0 70.0)
  end
  begin
     id 2
     name ltibia
     direction 0.34202 -0.939693 0
     length 7.2
     axis 0 0 20   XYZ
    dof rx
    limits (-10.0 170.0)
  end
  begin
     id 3
     name lfoot
     direction 0.08 -0.22 0.972214
     length 2.3
     axis -90 5 20   XYZ
    dof rx rz
    limits (-45.0 90.0)
           (-70.0 20.0)
  end
  begin
     id 4
     name spine
     direction 0 1 0
     length 8
     axis 10 20 30   XYZ
    dof rz rx
  end
  begin
     id 5
     name head
     direction 0 1 0
     length 3
     axis 0 0 0   XYZ
  end
:hierarchy
  begin
    root lfemur spine
    lfemur ltibia
    ltibia lfoot
    spine head
  end
"""

_BONES = {"root": 6, "lfemur": 3, "ltibia": 1, "lfoot": 2, "spine": 2}
FRAMES = 3


def frame(number: int, bones=_BONES) -> str:
    rng = np.random.default_rng(number)
    lines = [f"{number}"]
    for name, count in bones.items():
        values = rng.uniform(-80, 80, count)
        if name == "root":
            values[:3] = [1.5, 16.25 + number, -3.125]
        lines.append(" ".join([name, *(f"{v:.6g}" for v in values)]))
    return "\n".join(lines) + "\n"


HEAD = ":FULLY-SPECIFIED\n:DEGREES\n"
AMC = HEAD + "".join(frame(n) for n in range(1, FRAMES + 1))
