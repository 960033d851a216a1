"""By which clause each irregularity is handled, by text, and what the program's report cites for it."""
import re

# verb of the round file -> paragraph of 2.15; of 2A.15; of section 15 of Massachusetts; of 26.15; of 36.14
PARAGRAPHS = {
    "found-face-up": "a a b a a", "ten-found": "- - - b b", "drawn-unexposed": "b b c c c", "exposed": "c c d e e", "refuse": "c c d e e",
    "drew-on-standing": "d d e f f", "missed-own-card": "e e f d d", "missed-own-second-card": "e e f - -",
    "out-of-cards": "f f g g g", "missed-box": "g g h h h", "missed-second-card": "g g h h h",
    "wrong-side": "h - - - -", "missed-draw": "i h i i i", "reader-misused": "j k l l l",
    "reader-failed": "k l m m m", "up-card-not-moved": "l - - - -", "up-card-discarded": "m - - - -",
    "bonus-failed": "o - - - -", "double-dealt-up": "p - - - -", "misdelivered": "- - a - -",
    "moved-forward": "- - a - -", "let-out": "- - a - -", "burn-forgotten": "- - n - -",
}
SECTIONS = {"nj-blackjack": "19:47-2.15", "nj-switch": "19:47-2A.15", "ma-switch": "MA-BJS 15",
            "nj-double-attack": "19:47-26.15", "nj-triple-attack": "19:47-36.14"}


def clauses(text, upsets):
    """Returns the clauses on these irregularities; other lines of a dealer have none."""
    column = list(SECTIONS).index(text)
    return {f"{SECTIONS[text]}({PARAGRAPHS[word].split()[column]})" for word in upsets if word in PARAGRAPHS}


def cited(text, report):
    """Returns the clauses on irregularities that the program's report cites, round by round."""
    section = re.escape(SECTIONS[text])
    rounds = re.split(r"^Round \d+$", report, flags=re.MULTILINE)[1:]
    return [set(re.findall(section + r"\([a-z]\)", one)) for one in rounds]


def differences(text, upsets, report):
    """Returns where the program cites another clause for what went wrong than the text has."""
    wanted = [clauses(text, one) for one in upsets]
    return [f"round {at}: irregularities of {sorted(want)}, and the program cites {sorted(one)}"
            for at, (want, one) in enumerate(zip(wanted, cited(text, report)), 1) if want != one]
