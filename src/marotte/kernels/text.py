"""Numbers from text and back, for formats that keep motion as rows of decimals.

`parse_numbers` reads a stretch of bytes at a time and can be called again where it stopped; what
it remembers in between is an integer array whose places have the names below. It never guesses:
what is no number stops it, and the caller says what that means.

Numbers of up to 15 digits come out exactly as Python's `float` gives them, longer ones within one
unit in the last place.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from .compiling import BYTES, BYTES_OUT, IN2, INT, INTS1, INTS_OUT1, OUT1, inline, kernel

# Places in the state of parse_numbers. Those that say where count bytes from the text's begin.
AT = 0  # where to go on
COUNT = 1  # numbers written so far, counted from the first of a row
PROBLEM = 2  # why it stopped before the end, one of the four below
LINE_AT = 3  # where the current line begins
LINE_COUNT = 4  # how many numbers the current line has so far
CARRIED = 5  # how many numbers its row had already when the line began
ROW_AT = 6  # the line in which the current row began
GLUED = 7  # how many numbers began at a sign right after another number
GLUED_AT = 8  # the first of them
RAGGED = 9  # 1 once lines and rows are out of step: a row ended inside a line that it shares
RAGGED_AT = 10  # the line where that was noticed
RAGGED_ROW_AT = 11  # the line in which the row began that ended there
RAGGED_CARRIED = 12  # how many numbers of that row the earlier lines held
RAGGED_COUNT = 13  # how many numbers the line itself holds
COMMENT = 14  # 1 inside a comment, which a # begins and the line ends
STATE_SIZE = 15

NOTHING = 0  # no problem: the text is used up
FULL = 1  # no room for the number that begins at AT
NOT_A_NUMBER = 2  # the word that begins at AT
HARD = 3  # a number whose size is out of the ordinary begins at AT

MOST_DIGITS = 18  # that fit an int64 whatever they are
EXACT = 2**53  # integers up to this are doubles
EXACT_DIGITS = 15  # and whatever these make
EXACT_POWER = 22  # the largest power of ten that is a double
FAR_POWER = 250  # beyond this the arithmetic in two doubles would lose bits
ORDINARY = 1e12  # larger numbers are left to the caller, who may not want them at all

# 10 to the power of -FAR_POWER to FAR_POWER, each as the sum of two doubles.
_powers = [Fraction(10) ** e for e in range(-FAR_POWER, FAR_POWER + 1)]
POWER_HIGH = np.array([float(p) for p in _powers])
POWER_LOW = np.array([float(p - Fraction(float(p))) for p in _powers])
del _powers

POWER_OF_TEN = 10.0 ** np.arange(EXACT_POWER + 1)
INTEGER_POWER = np.array([10**n for n in range(20)], dtype=np.uint64)


@inline
def _product(a, b):
    """a b as the sum of two doubles, without error (Dekker 1971)."""
    split = 134217729.0 * a
    a1 = split - (split - a)
    a2 = a - a1
    split = 134217729.0 * b
    b1 = split - (split - b)
    b2 = b - b1
    p = a * b
    return p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2


@inline
def _scaled(digits, power):
    """digits (an integer) times 10 to the power, rounded once or as good as that."""
    if digits <= EXACT and -EXACT_POWER <= power <= EXACT_POWER:
        # both are doubles, so that one operation rounds correctly (Clinger 1990)
        if power < 0:
            return digits / POWER_OF_TEN[-power]
        return digits * POWER_OF_TEN[power]
    high = float(digits)
    low = float(digits - int(high))
    tens, rest = POWER_HIGH[FAR_POWER + power], POWER_LOW[FAR_POWER + power]
    product, error = _product(high, tens)
    return product + (error + (high * rest + low * tens))


@inline
def _any_number(text, first, stop):
    """The digits at text[first:stop] as (digits, power of ten, where they end, whether they are a
    number at all). However many there are, the first 18 that count are kept."""
    i = np.int64(first)
    digits = np.int64(0)
    held = 0
    power = 0
    good = False
    point = False
    while i < stop:
        c = text[i]
        if 48 <= c <= 57:
            good = True
            if held < MOST_DIGITS:
                digits = digits * 10 + np.int64(c) - 48
                if digits > 0:
                    held += 1
                if point:
                    power -= 1
            elif not point:
                power += 1
        elif c == 46 and not point:
            point = True
        else:
            break
        i += 1
    if good and i < stop and (text[i] == 101 or text[i] == 69):
        i += 1
        down = False
        if i < stop and (text[i] == 45 or text[i] == 43):
            down = text[i] == 45
            i += 1
        good = False
        exponent = 0
        while i < stop and 48 <= text[i] <= 57:
            good = True
            if exponent < 100000:
                exponent = exponent * 10 + (int(text[i]) - 48)
            i += 1
        power += -exponent if down else exponent
    return digits, power, i, good


# Unsigned indices: with signed ones the compiler looks at each whether it counts from the end.
U0, U1, U10, U48 = (np.uint64(n) for n in (0, 1, 10, 48))
SHORT = np.uint64(EXACT_DIGITS + 2)  # letters: the digits, a point, and one to see that there are no more
U20 = np.uint64(len(INTEGER_POWER))


@kernel(BYTES, INT, INT, INT, OUT1, INTS_OUT1)
def parse_numbers(text, length, begin, columns, values, state):
    """values from state[COUNT] on = the numbers in text[state[AT]:length], in rows of `columns`.

    The stretch must end with a blank or be the last. `begin` is where text[0] lies in the whole,
    and is added to the places of lines that the state holds.
    """
    i = np.uint64(state[AT])
    stop = np.uint64(length)
    count = np.uint64(state[COUNT])
    room = np.uint64(values.shape[0])
    line_count = state[LINE_COUNT]
    comment = state[COMMENT]
    state[PROBLEM] = NOTHING
    while i < stop:
        c = text[i]
        if c == 10 or c == 13:
            if line_count > 0:
                carried = state[CARRIED]
                whole = carried == 0 and line_count % columns == 0
                if not whole and carried + line_count > columns and state[RAGGED] == 0:
                    state[RAGGED] = 1
                    state[RAGGED_AT] = state[LINE_AT]
                    state[RAGGED_ROW_AT] = state[ROW_AT]
                    state[RAGGED_CARRIED] = carried
                    state[RAGGED_COUNT] = line_count
                state[CARRIED] = (carried + line_count) % columns
                line_count = 0
            comment = 0
            i += U1
            state[LINE_AT] = begin + np.int64(i)
            if state[CARRIED] == 0:
                state[ROW_AT] = state[LINE_AT]
            continue
        if comment == 1 or c == 32 or c == 9 or c == 11 or c == 12:
            i += U1
            continue
        if c == 35:
            comment = 1
            continue
        if count == room:
            state[PROBLEM] = FULL
            break
        start = i
        negative = c == 45
        if negative or c == 43:
            i += U1
        first = i
        # nearly every number is digits, a point, digits and a blank, and short enough to be exact
        near = min(stop, first + SHORT)
        digits = U0
        while i < near and 48 <= text[i] <= 57:
            digits = digits * U10 + (text[i] - U48)
            i += U1
        wide = i - first
        places = U0
        if i < near and text[i] == 46:
            i += U1
            point = i
            while i < near and 48 <= text[i] <= 57:
                digits = digits * U10 + (text[i] - U48)
                i += U1
            places = i - point
            wide += places
        value = -1.0
        if U0 < wide <= EXACT_DIGITS and i < stop and (text[i] == 32 or 9 <= text[i] <= 13):
            value = np.int64(digits) / POWER_OF_TEN[places]
        else:
            long_digits, power, end, good = _any_number(text, first, length)
            i = np.uint64(end)
            if good and end < length:
                c = text[end]
                if c == 45 or c == 43:
                    if state[GLUED] == 0:
                        state[GLUED_AT] = begin + end
                    state[GLUED] += 1
                else:
                    good = c == 32 or 9 <= c <= 13
            if not good:
                i = start
                state[PROBLEM] = NOT_A_NUMBER
                break
            if long_digits == 0:
                value = 0.0
            elif -FAR_POWER <= power <= FAR_POWER:
                value = _scaled(long_digits, power)
        if not 0.0 <= value <= ORDINARY:
            i = start
            state[PROBLEM] = HARD
            break
        values[count] = -value if negative else value
        count += U1
        line_count += 1
    state[AT] = np.int64(i)
    state[COUNT] = np.int64(count)
    state[LINE_COUNT] = line_count
    state[COMMENT] = comment


@kernel(BYTES_OUT, INT, BYTES, INTS1, INTS1)
def blank_names(text, length, names, ends, counts):
    """How many blocks of lines text[:length] is, or -1 where it is anything else; names become blanks.

    A block is a line with nothing but a whole number, then one for each name in its order: the
    name, and as many words as `counts` (N,) say. The names stand one after another in `names`, each
    up to its place in `ends` (N,). Lines without words do not count.
    """
    blocks = 0
    at = 0  # the line of the block that is to come: 0 for its number
    i = 0
    while i < length:
        words = 0
        digits = True
        first = i
        while i < length and text[i] != 10:
            c = text[i]
            if c == 32 or c == 9 or 11 <= c <= 13:
                i += 1
                continue
            if words == 0:
                first = i
            begin = i
            while i < length and text[i] > 32:
                digits = digits and 48 <= text[i] <= 57
                i += 1
            if i == begin:  # a letter that is no blank and no word either
                return -1
            words += 1
        if words > 0 and at == 0:
            if words != 1 or not digits:
                return -1
            blocks += 1
        elif words > 0:
            start = ends[at - 2] if at > 1 else 0
            size = ends[at - 1] - start
            if words != 1 + counts[at - 1] or first + size > length:
                return -1
            for k in range(size):
                if text[first + k] != names[start + k]:
                    return -1
                text[first + k] = 32
            if first + size < length and text[first + size] > 32:
                return -1
        if words > 0:
            at = 0 if at == ends.shape[0] else at + 1
        i += 1
    return blocks if at == 0 else -1


@kernel(IN2, INTS1, BYTES_OUT)
def format_rows(values, decimals, text):
    """text = a line for each row of values (N, C), blanks between numbers; returns its length.

    Column c is rounded to decimals (C,) places; zeros at the end of a fraction are left out.
    text must have room for 22 bytes a number, and |value| 10^decimals must be below 2^53.
    """
    at = U0
    for r in range(values.shape[0]):
        for c in range(values.shape[1]):
            value = values[r, c]
            places = np.uint64(decimals[c])
            digits = np.uint64(np.int64(abs(value) * POWER_OF_TEN[places] + 0.5))
            if c > 0:
                text[at] = 32
                at += U1
            if digits == U0:
                text[at] = 48
                at += U1
                continue
            if value < 0.0:
                text[at] = 45
                at += U1
            scale = INTEGER_POWER[places]
            whole = digits // scale
            rest = digits - whole * scale
            width = U1
            while width < U20 and whole >= INTEGER_POWER[width]:
                width += U1
            at += width
            for k in range(width):
                tenth = whole // U10
                text[at - U1 - np.uint64(k)] = U48 + (whole - tenth * U10)
                whole = tenth
            if rest == U0:
                continue
            text[at] = 46
            at += U1 + places
            for k in range(places):
                tenth = rest // U10
                text[at - U1 - np.uint64(k)] = U48 + (rest - tenth * U10)
                rest = tenth
            while text[at - U1] == 48:
                at -= U1
        text[at] = 10
        at += U1
    return np.int64(at)
