"""What a built-in take is: an option model, a builder, and a name in the registry."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Generic, ParamSpec, cast

from .._options import Options, describe, option
from ..errors import InputError, UnknownNameError
from ..figure import Motion

P = ParamSpec("P")


class TakeOptions(Options):
    """What every take has."""

    frame_rate: float = option(60.0, "how finely the take is sampled", unit="Hz", least=10, most=1000)
    seed: int = option(
        0,
        "0 is the plain take, any other number a slightly different performer, always the same one",
        least=0,
        most=2**31,
    )


class Take(Generic[P]):
    """A built-in take: call it with its options, by name, and it gives a Motion."""

    def __init__(
        self, name: str, options: Callable[P, TakeOptions], build: Callable[[Any], Motion], summary: str
    ) -> None:
        self.name = name
        self.summary = summary
        self.options = cast("type[TakeOptions]", options)
        self._build = build
        self.__name__ = name
        self.__doc__ = _document(summary, self.options)
        self.__signature__ = inspect.signature(self.options).replace(return_annotation=Motion)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Motion:
        if args:
            name = next(iter(self.options.model_fields))
            raise InputError(
                f"{self.name} takes its options by name, as in {self.name}({name}=…), "
                f"but was given {args[0]!r}"
            )
        return self.make(kwargs)

    def make(self, given: Mapping[str, object]) -> Motion:
        """The take with these options."""
        for key in given:
            if key not in self.options.model_fields:
                raise UnknownNameError(f"option of {self.name}", key, self.options.model_fields)
        try:
            options = self.options(**given)
        except InputError as problem:
            raise InputError(f"{self.name}: {problem}") from None
        return self._build(options)

    def __repr__(self) -> str:
        return f"<take {self.name}: {self.summary}>"


def _document(summary: str, options: type[TakeOptions]) -> str:
    lines = [f"{summary[0].upper()}{summary[1:]}.", ""]
    for info in describe(options):
        facts = ", ".join(f for f in (info.unit, info.range) if f)
        lines.append(
            f"{info.name} = {info.default!r}" + (f" ({facts})" if facts else "") + f": {info.effect}."
        )
    return "\n".join(lines)
