"""Asks the reference what its exceptions derive from.

The question is an ordinary case: it names each class of an MRO as the runner
would name it in an answer, by the public symbol bound to it, else by its own.
"""

from collections.abc import Iterable, Mapping, Sequence

from shipbar.contract import Contract
from shipbar.errors import UserError
from shipbar.grading.asking import HASH_SEEDS, Answer, Desk, Question
from shipbar.sealed.codec import DecodeError, decode
from shipbar.sealed.frames import VALUE
from shipbar.sealed.shape import library_class

BUILTINS = "builtins."
TOP = frozenset({"Exception", "BaseException", "object"})
"""What every exception derives from, and so tells nothing."""

_SOURCE = """\
def case():
    import {package} as package
    def name_of(cls):
        for symbol in {symbols!r}:
            if getattr(package, symbol, None) is cls:
                return symbol
        return cls.__module__ + '.' + cls.__qualname__
    cls = getattr(package, {error!r})
    if not issubclass(cls, BaseException):
        raise TypeError
    return lambda: [name_of(base) for base in cls.__mro__]
"""


def ask_lineages(
    desk: Desk, contract: Contract, errors: Iterable[str]
) -> dict[str, tuple[str, ...]]:
    """Return, for each exception of the package, its ancestors below Exception in MRO order.

    Ancestors are public symbols, builtins by their bare names and other classes of
    the standard library by their full ones; what is private is left out.

    Args:
        desk: where the reference is asked.
        contract: names and symbols.
        errors: public symbols of the contract.

    Raises:
        UserError: one of them is no exception class of the reference.
    """
    wanted = sorted(set(errors))
    questions = [
        Question(
            file=0,
            source=_SOURCE.format(
                package=contract.import_name,
                symbols=tuple(contract.public_symbols),
                error=error,
            ),
        )
        for error in wanted
    ]
    answers = desk.ask([""], questions, hash_seed=HASH_SEEDS[0]) if wanted else []
    return {
        error: _ancestors(error, _names(answer, error), contract.public_symbols)
        for error, answer in zip(wanted, answers, strict=True)
    }


def _names(answer: Answer, error: str) -> list[str]:
    frame = answer.frame
    try:
        names = decode(frame.payload) if frame and frame.kind == VALUE else None
    except DecodeError:
        names = None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise UserError(
            f"{error}: expected an exception class of the reference, and it is none; expect another, or correct public_symbols"
        )
    return names


def _ancestors(
    error: str, mro: Sequence[str], symbols: Sequence[str]
) -> tuple[str, ...]:
    above = [name.removeprefix(BUILTINS) for name in mro if name != error]
    return tuple(
        name
        for name in above
        if name not in TOP and (name in symbols or is_library(name))
    )


def is_library(name: str) -> bool:
    """Whether a name, bare for a builtin, is an exception class of the standard library."""
    try:
        library_class(name if "." in name else BUILTINS + name)
    except LookupError:
        return False
    return True


def difference(
    declared: Mapping[str, Sequence[str]], real: Mapping[str, Sequence[str]]
) -> list[str]:
    """Say for each exception how what a suite declares differs from what the reference has."""
    return [
        f"{name}: declared {_shown(declared.get(name))}, the reference has {_shown(above)}"
        for name, above in sorted(real.items())
        if tuple(declared.get(name, ("?",))) != tuple(above)
    ]


def _shown(above: Sequence[str] | None) -> str:
    return "nothing" if above is None else f"({', '.join(above)})"
