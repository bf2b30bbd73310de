/**
 * Unifies Chinese characters of one origin that are written in up to three ways, by region: traditional (國, 廣),
 * simplified (国, 广) and Japanese (国, 広).
 *
 * The pairs are OpenCC's, from the opencc-js package: traditional to simplified, and Japanese to traditional. What they
 * lack are the forms that Japanese family names, and companies called after a family, keep beside the standard one.
 */
type Dictionary = typeof import('opencc-js/dict/*');

/** Read when the first text needs them, which spares each start 20 ms. */
const readSimplified = (): Dictionary => require('opencc-js/dict/TSCharacters');
const readStandard = (): Dictionary => require('opencc-js/dict/JPShinjitaiCharacters');

const familyNameForms = '髙 高|﨑 崎|邉 辺|冨 富|嶋 島|嶌 島|濵 浜|栁 柳|桒 桑|槗 橋|𠮷 吉';

/** With the high halves of those beyond the basic plane, and the block of compatibility ideographs for 﨑. */
const ideographs = /[\u3400-\u9fff\ud840-\ud87f\uf900-\ufaff]/;

let simplified: ReadonlyMap<string, string> | null = null;

/** A text in simplified characters, whichever way it was written. Characters that never differ stay as they are. */
export function withSimplifiedHan(text: string): string {
  if (!ideographs.test(text)) return text;
  simplified ??= simplifiedByVariant();
  let folded = '';
  for (const character of text) folded += simplified.get(character) ?? character;
  return folded;
}

function simplifiedByVariant(): ReadonlyMap<string, string> {
  const byVariant = new Map(pairsIn(readSimplified().default));
  for (const [japanese, standard] of [...pairsIn(readStandard().default), ...pairsIn(familyNameForms)]) {
    // A few Japanese forms are traditional forms elsewhere; the larger table wins.
    if (!byVariant.has(japanese)) byVariant.set(japanese, byVariant.get(standard) ?? standard);
  }
  // A result of one table may be a variant in the other: 滬 becomes 沪, which in Japan stands for 濾, 滤.
  for (const [variant, standard] of byVariant) byVariant.set(variant, byVariant.get(standard) ?? standard);
  return byVariant;
}

/** A dictionary is one text: "國 国|廣 广|…", with further and rarer readings after the second character. */
function pairsIn(dictionary: string): [variant: string, standard: string][] {
  return dictionary.split('|').flatMap((entry) => {
    const [variant, standard] = entry.split(' ');
    // Skip results beyond the basic plane: they are not cut into terms like the others.
    const isKept = variant !== undefined && standard?.length === 1;
    return isKept ? [[variant, standard] satisfies [string, string]] : [];
  });
}
