/**
 * Chinese characters of one origin are written in up to three ways, by region: traditional (國, 廣), simplified (国, 广)
 * and Japanese (国, 広). Here they become one.
 *
 * The pairs are OpenCC's, as the opencc-js package brings them: traditional to simplified, and Japanese to traditional.
 */
import japaneseToTraditional from 'opencc-js/dict/JPShinjitaiCharacters';
import traditionalToSimplified from 'opencc-js/dict/TSCharacters';

const ideographs = /[\u3400-\u9fff]/;

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
  const byVariant = new Map(pairsIn(traditionalToSimplified));
  for (const [japanese, traditional] of pairsIn(japaneseToTraditional)) {
    // A few Japanese forms are traditional ones of another region, which the larger table knows better.
    if (!byVariant.has(japanese)) byVariant.set(japanese, byVariant.get(traditional) ?? traditional);
  }
  return byVariant;
}

/** Both dictionaries are one text: "國 国|廣 广|…", with further and rarer readings after the second character. */
function pairsIn(dictionary: string): [variant: string, standard: string][] {
  return dictionary.split('|').flatMap((entry) => {
    const [variant, standard] = entry.split(' ');
    // Characters beyond the basic plane are too rare for names, and are not cut into terms like the others.
    const isPlain = variant?.length === 1 && standard?.length === 1;
    return isPlain ? [[variant, standard] satisfies [string, string]] : [];
  });
}
