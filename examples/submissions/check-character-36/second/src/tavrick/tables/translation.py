SYMBOLS = [chr(code) for code in (*range(65, 91), *range(48, 58))]
RANK = dict(zip(SYMBOLS, range(36), strict=True))

# for str.translate: what a small letter is read as
FOLDING = {code + 32: code for code in range(65, 91)}
FOLDING[ord("o")] = ord("0")
FOLDING[ord("l")] = ord("1")
