"""Texts that are no condition and no step under any rule."""

from shipbar.families.invented.record_queries.language import Language


def malformed_conditions(language: Language, name: str, other: str) -> list[str]:
    """Return texts that cannot be read as a condition, whatever the rules are."""
    both, equal, within = language.both, language.equal, language.within
    return [
        "",
        f"{name} {both}",
        f"{both} {name}",
        f"{name} {both} {both} {other}",
        f"({name} {both} {other}",
        f"{name})",
        "()",
        f"{name} {other}",
        f"{name} {equal}",
        f"{equal} 7",
        "7",
        f"{language.quote}{name}{language.quote}",
        f"{name} {within} 3",
        f"{name} {within} 3..",
        f"{name} {within} 3..7..9",
        f"{name} {within} 3..7 < 9",
        f"{name} {language.negation} {other}",
        f"{name} {language.negation}",
        f"{name.capitalize()} {equal} 7",
        f"{name} {equal} {language.quote}{other}",
        f"{name} {equal} 7.5",
        f"{name} {equal} +7 {equal}",
        f"{name} =< 7",
        f"{name} {language.then} {language.take} 3",
        f"{language.every} {equal} 7",
        f"{name}\t{both} {other}",
        f"{name} {equal} {language.take}",
        f"{name} {language.without}",
    ]


def malformed_steps(language: Language, name: str) -> list[str]:
    """Return texts that cannot be read as a step, whatever the rules are."""
    return [
        "",
        f"{language.take}",
        f"{language.take} -3",
        f"{language.take} {name}",
        f"{language.take} 3 4",
        f"{language.sort}",
        f"{language.sort} 3",
        f"{language.sort} {name} {language.take}",
        f"{language.sort} {language.falling} {name}",
        f"{language.once}",
        f"{language.once} {name} {name}",
        f"{language.show}",
        f"{language.show} 7",
        f"{language.take} 3 {language.then}",
        f"{language.take} 3 {language.then} {language.take} 3",
        f"{name}",
    ]
