from .translation import RANK, SYMBOLS


class Machine:
    """A finite automaton with 36 states, as a table of transitions."""

    def __init__(self, multiplier: int) -> None:
        self.table = {
            (state, symbol): (multiplier * state + value) % 36
            for state in range(36)
            for symbol, value in RANK.items()
        }
        self.closer = {
            state: symbol
            for (state, symbol), after in self.table.items()
            if after == 0
        }
        assert len(self.closer) == len(SYMBOLS)

    def trace(self, state: int, tape) -> list[int]:
        visited = [state]
        for symbol in tape:
            visited.append(self.table[visited[-1], symbol])
        return visited

    def close(self, state: int, tape) -> str:
        return self.closer[self.trace(state, tape).pop()]


FORWARD = Machine(11)
BACKWARD = Machine(23)
