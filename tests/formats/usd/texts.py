"""A small USD as text, made whole so that each test can change it in one place."""

from __future__ import annotations

HEAD = """\
#usda 1.0
(
    metersPerUnit = 0.01
    upAxis = "Y"
    timeCodesPerSecond = 24
    startTimeCode = 1
    endTimeCode = 4
)
"""

SKELETON = """\
def SkelRoot "Figure"
{
    def Skeleton "Skel" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        uniform token[] joints = ["Hips", "Hips/Spine", "Hips/Leg", "Hips/Leg/Foot"]
        uniform matrix4d[] bindTransforms = [
            ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 90, 0, 1)),
            ((0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 1, 0), (0, 120, 0, 1)),
            ((0, -1, 0, 0), (1, 0, 0, 0), (0, 0, 1, 0), (9, 88, 0, 1)),
            ((0, -1, 0, 0), (0, 0, 1, 0), (-1, 0, 0, 0), (9, 8, 0, 1))]
        uniform matrix4d[] restTransforms = [
            ((0, 0, 1, 0), (0, 1, 0, 0), (-1, 0, 0, 0), (0, 92, 0, 1)),
            ((0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 1, 0), (0, 30, 0, 1)),
            ((0, -1, 0, 0), (1, 0, 0, 0), (0, 0, 1, 0), (9, -2, 0, 1)),
            ((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (80, 0, 0, 1))]
        rel skel:animationSource = </Figure/Skel/Walk>

        def SkelAnimation "Walk"
        {
            uniform token[] joints = ["Hips/Leg", "Hips"]
            float3[] translations.timeSamples = {
                1: [(9, -2, 0), (0, 90, 0)],
                2: [(9, -2, 0), (1, 91, 5)],
                3: [(9, -2, 1), (2, 90, 11)],
                4: [(9, -2, 0), (3, 89, 16)],
            }
            quatf[] rotations.timeSamples = {
                1: [(0.70710678, 0, 0, -0.70710678), (1, 0, 0, 0)],
                2: [(0.5, 0.5, -0.5, -0.5), (0.96, 0, 0.28, 0)],
                3: [(0.5, -0.5, 0.5, -0.5), (0.8, 0, 0.6, 0)],
                4: [(0.6, 0, 0, -0.8), (0.8, 0.6, 0, 0)],
            }
            half3[] scales.timeSamples = {
                1: [(1, 1, 1), (1, 1, 1)],
                4: [(2, 2, 2), (0.5, 0.5, 0.5)],
            }
        }
    }
}
"""

TEXT = HEAD + SKELETON
CODES = [1.0, 2.0, 3.0, 4.0]
