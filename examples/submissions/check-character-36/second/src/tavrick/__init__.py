from .codec import Codec as _Codec
from .errors import AmbiguousMend, LayoutFault, LengthFault, MarkFault, TagError

_codec = _Codec()
issue = _codec.issue
read = _codec.read
explain = _codec.explain
mend = _codec.mend
audit = _codec.audit
