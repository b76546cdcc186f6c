class TagError(ValueError):
    """Base class."""

    _shape = "{}"

    def __init__(self, **facts):
        self.__dict__.update(facts)
        super().__init__(self._shape.format_map(facts))


class LayoutFault(TagError):
    _shape = "position {position}: this character cannot stand here"


class LengthFault(TagError):
    _shape = "{count} symbols: not a possible number"


class MarkFault(TagError):
    _shape = "the mark is {found} and should be {expected}"


class AmbiguousMend(MarkFault):
    _shape = "the mark is {found} and should be {expected}, or it was one of {options}"
