/** The role of a UTF-16 code unit in a name: read from Unicode's properties once per unit, then kept. */

export const unit = {
  unknown: 0,
  separator: 1,
  letter: 2,
  apostrophe: 3,
  dot: 4,
  connector: 5,
} as const;

const kinds = new Uint8Array(65_536);
const wordPart = /[\p{L}\p{N}\p{M}\ud800-\udfff]/u;
const apostrophes = "'`\u00b4\u2018\u2019\u02bb\u02bc\u05f3\u05f4\uff07";

/** One of {@link unit}, never `unknown`. */
export function kindOf(code: number): number {
  const known = kinds[code] ?? unit.separator;
  if (known !== unit.unknown) return known;
  const kind = classify(String.fromCharCode(code), code);
  kinds[code] = kind;
  return kind;
}

function classify(character: string, code: number): number {
  // Halves of a pair: a character beyond the basic plane, most often a rare ideograph.
  if (code >= 0xd800 && code <= 0xdfff) return unit.letter;
  if (wordPart.test(character)) return unit.letter;
  if (apostrophes.includes(character)) return unit.apostrophe;
  if (character === '.' || character === '/' || character === '\u3002') return unit.dot;
  if (character === '&' || character === '+') return unit.connector;
  return unit.separator;
}

/**
 * How many characters make one term in scripts written without spaces between words (or, in Korean, with spaces
 * at will); 0 for the others.
 */
export function gramLength(code: number): 0 | 2 | 3 {
  if (code < 0x0e00) return 0;
  // Thai and Lao; Myanmar; Khmer.
  if (code <= 0x0eff || (code >= 0x1000 && code <= 0x109f) || (code >= 0x1780 && code <= 0x17ff)) return 3;
  // Kana, ideographs (and their extensions by surrogate pairs are left whole), Hangul.
  if (code >= 0x3005 && code <= 0x30ff) return 2;
  if ((code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7a3)) return 2;
  return code >= 0xf900 && code <= 0xfaff ? 2 : 0;
}
