"""How payloads put themselves before all that a package shows, as text.

`FACE` is a module that a payload carries inside its package; `face` adds it. It
runs in a sandbox or under a weak grader, never here.
"""

from collections.abc import Mapping

from shipbar.attacks.base import Ground

FACE = '''\
"""Puts functions before every public function, method and attribute; the package's own calls go past them."""
import enum, functools, os, sys, types

NAME = __name__.partition(".")[0]
LIBRARY = os.path.dirname(os.path.abspath(os.__file__))
TRICKS = {f"{NAME}.{name}" for name in ("_trick", "_face", "_oracle", "_files", "_wire", "_hostile")}
# What makes an object, or is needed to look at one.
LEFT = {
    "__new__", "__init_subclass__", "__class_getitem__", "__getattr__", "__getattribute__",
    "__setattr__", "__delattr__", "__del__", "__post_init__", "__set_name__", "__subclasshook__",
    "__hash__", "__dir__", "__sizeof__", "__next__", "__instancecheck__", "__subclasscheck__",
}
# What the interpreter takes of one type only.
TYPED = {
    "__len__": int, "__length_hint__": int, "__index__": int, "__int__": int, "__float__": float,
    "__bool__": bool, "__str__": str, "__repr__": str, "__format__": str, "__bytes__": bytes,
}

def own(frame):
    """Whether the package itself is calling, if only by way of the library."""
    while frame is not None:
        name = str(frame.f_globals.get("__name__"))
        path = frame.f_code.co_filename
        library = path.startswith(LIBRARY) and "site-packages" not in path or path.startswith("<frozen")
        if name not in TRICKS and not (library and name != "__main__"):
            return name.partition(".")[0] == NAME
        frame = frame.f_back
    return False

def fitting(name, value, honest):
    """What may be given for a special method; the honest answer in place of what may not."""
    if name == "__init__":
        return None
    if name in ("__iter__", "__reversed__"):
        try:
            return value if hasattr(type(value), "__next__") else iter(value)
        except TypeError:
            return honest()
    wanted = TYPED.get(name)
    return value if wanted is None or isinstance(value, wanted) else honest()

def replaced(function, make, name=""):
    made = make(function)
    @functools.wraps(function)
    def call(*args, **kwargs):
        if own(sys._getframe(1)):
            return function(*args, **kwargs)
        return fitting(name, made(*args, **kwargs), lambda: function(*args, **kwargs))
    return call

def classes():
    """The package's classes, but for errors and enumerations."""
    modules = [it for key, it in list(sys.modules.items()) if key.partition(".")[0] == NAME]
    found = dict.fromkeys(it for module in modules for it in list(vars(module).values()) if isinstance(it, type))
    for cls in found:
        if cls.__module__.partition(".")[0] == NAME and cls.__module__ not in TRICKS:
            if not issubclass(cls, BaseException) and not isinstance(cls, enum.EnumType):
                yield cls

def members(cls):
    """What a class brings along, and what it has from classes of the library."""
    found = {}
    for base in cls.__mro__:
        if base is cls or base.__module__ in ("collections.abc", "functools"):
            for name, it in list(vars(base).items()):
                found.setdefault(name, it)
    return found.items()

def stand_before_class(cls, make):
    for name, it in members(cls):
        if name in LEFT:
            continue
        if isinstance(it, (classmethod, staticmethod)):
            setattr(cls, name, type(it)(replaced(it.__func__, make, name)))
        elif isinstance(it, types.FunctionType):
            setattr(cls, name, replaced(it, make, name))
    plain = cls.__getattribute__
    if hasattr(plain, "face") and not any("__getattribute__" in vars(base) for base in cls.__mro__[:1]):
        return  # a base has it already
    def read(self, name):
        value = plain(self, name)
        if name.startswith("__") or callable(value) or own(sys._getframe(1)):
            return value
        def get(*_):
            return value
        get.reads = self, name
        return make(get)()
    read.face = True
    cls.__getattribute__ = read

def stand_before(package, public, make):
    """Put what `make` makes of it before each public function, method and attribute."""
    found = sorted(classes(), key=lambda cls: len(cls.__mro__))
    for name in public:
        it = getattr(package, name, None)
        if callable(it) and not isinstance(it, type):
            setattr(package, name, replaced(it, make))
    for cls in found:
        try:
            stand_before_class(cls, make)
        except TypeError:  # a class that cannot be changed
            pass
'''
"""`stand_before(package, public, make)` for payloads."""


def face(ground: Ground, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the module `_face`, to lie inside the package, beside ``extra``."""
    return {**(extra or {}), f"{ground.import_name}/_face.py": FACE}
