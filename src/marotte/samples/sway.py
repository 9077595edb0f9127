"""Standing at ease: the weight goes from one leg to the other.

People who stand for a while shift their weight between the legs quickly and then stay (Duarte and
Zatsiorsky 1999, who tell shifts, fidgets and drifts apart). The hip of the standing leg comes up
and the other knee gives way, while the shoulders tip and turn against the hips: what sculptors call
contrapposto. Hips lead, the chest follows, then the head, then the arms.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._options import option
from ..figure import FloatArray, Motion
from ._body import SIDES, Body, sign
from ._curves import pulse, step
from ._led import hang
from ._take import Take, TakeOptions
from ._upright import AHEAD, feet, upright
from ._variation import Variation, breath

# How far each stay goes to its side, and how long it lasts, as shares: no two are alike.
_STAYS = ((1.0, 1.0), (0.86, 0.84), (0.96, 1.14), (0.78, 0.92), (0.92, 1.06))
_WIDTH = 0.23  # metres between the feet
_WITHIN = 3  # shifts that may still be going on at once
_OVER = 0.075  # metres of the centre of mass from the middle


class SwayOptions(TakeOptions):
    """Hips and shoulders tip against each other, and the free knee gives way."""

    seconds: float = option(12.0, "how long the take is", unit="s", least=1.0, most=600)
    hold: float = option(3.2, "how long the weight stays on a leg", unit="s", least=1.8, most=20)
    amount: float = option(
        1.0, "how far the weight goes over, and hips and shoulders with it", least=0.0, most=1.2
    )


@dataclass(frozen=True)
class _Sway:
    options: SwayOptions
    v: Variation

    @property
    def seconds(self) -> float:
        return self.options.seconds

    @cached_property
    def shifts(self) -> FloatArray:
        """(N, 4) when each shift begins, how long it takes, and the sides it comes from and goes to;
        the first ones are over before the take begins."""
        hold, v, k = self.options.hold, self.v, 0
        found, at, before = [[-1e3, 1.0, 0.9, 0.9]] * _WITHIN, 0.55 * hold, 0.9
        while at < self.seconds + 3.0:
            far = _STAYS[(k + 1) % len(_STAYS)][0] * v.scale(f"far {k}", 0.08)
            after = far if k % 2 else -far
            found.append([at, 1.1 + 0.1 * v.normal(f"slow {k}", 1.0), before, after])
            at += hold * _STAYS[k % len(_STAYS)][1] * v.scale(f"hold {k}", 0.08)
            before, k = after, k + 1
        return np.array(found)

    def side(self, t: FloatArray) -> FloatArray:
        """(F,) where the weight is: 1 over the left foot, −1 over the right one."""
        last = np.maximum(np.searchsorted(self.shifts[:, 0], t) - 1, _WITHIN - 1)
        out = self.shifts[last - _WITHIN + 1, 2]
        for back in range(_WITHIN):
            at, takes, before, after = self.shifts[last - back].T
            # a little too far, and back
            settle = 0.07 * pulse(t, at + 0.3 * takes, at + takes, at + takes, at + takes + 0.9)
            out = out + (after - before) * (step(t, at, at + takes) + settle)
        return np.asarray(out * self.options.amount)

    def weight(self, t: FloatArray) -> FloatArray:
        x = _OVER * self.side(t) + 0.004 * self.v.unrest("x", t, self.seconds)
        z = AHEAD + 0.005 * self.v.unrest("z", t, self.seconds)
        return np.stack([x, z], axis=1)

    def hips(self, t: FloatArray) -> FloatArray:
        late = self.side(t - 0.06)
        return np.stack([4.5 * late, 7.5 * late, 2.0 + 0.0 * t], axis=1)

    def upper(self, body: Body, t: FloatArray) -> None:
        v = self.v
        chest, head, arms = (self.side(t - lag) for lag in (0.14, 0.22, 0.3))
        air = breath(t, self.seconds, 0.24)
        drift = v.unrest("turn", t, self.seconds)
        body.spine(
            bend=np.radians(1.5 - 0.7 * air + 0.6 * v.unrest("bend", t, self.seconds)),
            lean=np.radians(7.5 * self.side(t - 0.08) + 3.0 * chest),
            turn=np.radians(-7.0 * chest + 1.2 * drift),
        )
        body.gaze(
            heading=np.radians(5.0 * v.unrest("look", t, self.seconds) - 4.0 * head),
            nod=np.radians(3.0 + 2.0 * v.unrest("nod", t, self.seconds)),
            tip=np.radians(-1.5 * head),
        )
        for side in SIDES:
            s = sign(side)
            hang(
                body,
                side,
                flexion=2.0
                - 2.5 * s * (arms - chest)
                - 1.5 * s * arms
                + 1.2 * v.unrest(f"arm {side}", t, 1.0),
                abduction=8.0 + 2.5 * s * (arms - chest) + 0.8 * air,
                elbow=17.0 + 1.5 * s * arms + 1.5 * v.unrest(f"elbow {side}", t, 1.0),
                shrug=0.8 * air,
            )


def _sway(options: SwayOptions) -> Motion:
    take = _Sway(options, Variation(options.seed))
    figure = upright(take, feet(_WIDTH, 11.0, 0.03))
    return figure.motion("sway", options.frame_rate)


sway = Take("sway", SwayOptions, _sway, "standing at ease, the weight going from leg to leg")
