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
 * Characters of scripts written without spaces between words (or, in Korean, with spaces at will), as in a class of a
 * regular expression, and how many of them make one term. Ideographs beyond the basic plane are left whole.
 */
const unspacedScripts = [
  // Thai and Lao; Myanmar; Khmer.
  { characters: '\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff', grams: 3 },
  // Kana, ideographs, Hangul and its letters; compatibility ideographs; letters of half width.
  { characters: '\u3005-\u9fff\uac00-\ud7a3\u1100-\u11ff\uf900-\ufaff\uff66-\uffdc', grams: 2 },
] as const;

/** The characters of all scripts written without spaces, for a class of a regular expression. */
export const unspacedCharacters = unspacedScripts.map(({ characters }) => characters).join('');
const unspaced = new RegExp(`[${unspacedCharacters}]`);

/** True if a text has characters of such a script. */
export function isUnspaced(text: string): boolean {
  return unspaced.test(text);
}

/** By code unit; made at the first use. */
let gramLengths: Uint8Array | null = null;

/** How many characters make one term in such a script; 0 in the others. */
export function gramLength(code: number): number {
  gramLengths ??= readGramLengths();
  return gramLengths[code] ?? 0;
}

function readGramLengths(): Uint8Array {
  const lengths = new Uint8Array(65_536);
  for (const { characters, grams } of unspacedScripts) {
    for (const range of characters.match(/.-./g) ?? []) {
      lengths.fill(grams, range.charCodeAt(0), range.charCodeAt(2) + 1);
    }
  }
  return lengths;
}
