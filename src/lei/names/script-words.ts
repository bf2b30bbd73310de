/**
 * Usual words of companies' names in scripts whose transliteration does not show their meaning, with the places and groups
 * that many names begin with. `script-words.txt` has a line for each English word: the word, then its spellings in other
 * scripts. If several English words have one spelling, the first one counts, and longer spellings stand first.
 */
import { tableLines } from '../table-lines.ts';
import { isUnspaced } from './characters.ts';
import { foldedCharacters } from './fold.ts';

interface ScriptWords {
  /** English words by their folded spelling. */
  readonly english: ReadonlyMap<string, string>;
  /** Folded spellings by the English word. */
  readonly spellings: ReadonlyMap<string, readonly string[]>;
  /** Any spelling of a script that writes words without spaces between them. */
  readonly unspaced: RegExp;
}

let words: ScriptWords | null = null;

function scriptWords(): ScriptWords {
  words ??= read();
  return words;
}

function read(): ScriptWords {
  const english = new Map<string, string>();
  const spellings = new Map<string, readonly string[]>();
  for (const line of tableLines(new URL('./script-words.txt', import.meta.url))) {
    const [word = '', written = ''] = line.split('\t');
    const folded = written.split('|').map(foldedCharacters);
    spellings.set(word, folded);
    for (const spelling of folded) if (!english.has(spelling)) english.set(spelling, word);
  }
  const longestFirst = [...english.keys()].filter(isUnspaced).sort((a, b) => b.length - a.length);
  return { english, spellings, unspaced: new RegExp(longestFirst.join('|'), 'g') };
}

/** A folded text in which the known words of scripts without spaces are English, with spaces around them. */
export function withMeanings(text: string): string {
  return text.replace(scriptWords().unspaced, (word) => ` ${scriptWords().english.get(word) ?? ''} `);
}

/** Arabic and Hebrew join "the", "and", "of" and "for" to the next word. */
const joinedBefore = /^(?:و?(?:ال|لل|بال|ل|ب)|ו?[הל])(?=.{3})/u;

/** The English word of a folded word; null if it is not known. */
export function meaningOf(word: string): string | null {
  const { english } = scriptWords();
  return english.get(word) ?? english.get(word.replace(joinedBefore, '')) ?? null;
}

/** The spelling of an English word, or several, in one of the scripts; null if there is none. */
export function spellingIn(script: RegExp, word: string): string | null {
  return (
    scriptWords()
      .spellings.get(word)
      ?.find((spelling) => script.test(spelling)) ?? null
  );
}
