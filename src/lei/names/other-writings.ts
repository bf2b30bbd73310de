/** Other ways to write a word of a name: abbreviated, in full, or in Arabic with its article. */
import { withoutLetterPairs } from './name-terms.ts';

/** Abbreviations of narrow columns and hasty writers; each stands for all the words after it. */
const abbreviations =
  'intl international|natl national|mgmt management|mgt management|hldg holding holdings|hldgs holdings|grp group|' +
  'inv investment investments|invs investments|invt investment|svc service services|svcs services|serv services|' +
  'assoc association associates|assn association|assocs associates|mfg manufacturing|mktg marketing|mkt market|' +
  'mkts markets|dev development|devt development|tech technology technologies|techs technologies|univ university|' +
  'bros brothers|dept department|govt government|ind industries industrial|inds industries|eng engineering|' +
  'engg engineering|fin finance financial|ins insurance|prop property properties|props properties|cap capital|' +
  'ptnr partner|ptnrs partners|ptrs partners|tr trust|fd fund|bk bank|gen general|amer american|distr distribution|' +
  'st saint|dt deutsche|ste societe|soc societe societa sociedad|bco banco|bca banca|bque banque|ges gesellschaft';

let byWord: ReadonlyMap<string, readonly string[]> | null = null;

function abbreviationsByWord(): ReadonlyMap<string, readonly string[]> {
  const pairs = new Map<string, string[]>();
  const add = (word: string, other: string) => {
    const known = pairs.get(word);
    if (known === undefined) pairs.set(word, [other]);
    else known.push(other);
  };
  for (const entry of abbreviations.split('|')) {
    const [short = '', ...full] = entry.split(' ');
    for (const word of full) {
      add(short, word);
      add(word, short);
    }
  }
  return pairs;
}

const arabic = /^[\u0621-\u064a]{3,}$/;
const article = 'ال';

function withOrWithoutArticle(term: string): string[] {
  if (!arabic.test(term)) return [];
  const bare = term.slice(article.length);
  return [term.startsWith(article) && bare.length >= 3 ? bare : article + term];
}

/** Folded, like the word itself. */
export function otherWritings(term: string): string[] {
  byWord ??= abbreviationsByWord();
  return [...withoutLetterPairs(term), ...(byWord.get(term) ?? []), ...withOrWithoutArticle(term)];
}
