/**
 * Tells which legal forms are a part of which others: "Pty" of "Pty Ltd", "S.A." of "S.A. de C.V.". People type some words
 * of a form and leave the others out.
 */
import { foldedSpellings, tokenOfSpelling } from '../../../lei/names/legal-forms.ts';

const none: ReadonlySet<string> = new Set();
let related: Map<string, Set<string>> | null = null;

/**
 * The tokens of the forms with a spelling that begins or ends with the form, or that the form begins or ends with. Their
 * tokens must do so too: "company" ends the spelled-out forms of many tokens, and says nothing about them.
 */
export function relatedForms(token: string): ReadonlySet<string> {
  related ??= readRelated();
  return related.get(token) ?? none;
}

/** Words of the longest spellings that are read: longer ones spell a form out, and their parts are not typed for it. */
const wordsMax = 4;

function readRelated(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { token, words } of foldedSpellings()) {
    if (isTorn(token, words)) continue;
    for (const part of endsOf(words)) relate(found, tokenOfSpelling(part), token);
  }
  return found;
}

/** "sa rl" is S.à r.l. with a space inside, and no kind of S.A. Longer ones are spelled like that: "bv cva". */
function isTorn(token: string, spelling: string): boolean {
  return token.length <= tornLettersMax && spelling.replaceAll(' ', '') === token;
}

const tornLettersMax = 4;

/** What a spelling begins with, and what it ends with. */
function endsOf(words: string): string[] {
  const spaces: number[] = [];
  for (let at = words.indexOf(' '); at >= 0; at = words.indexOf(' ', at + 1)) spaces.push(at);
  if (spaces.length >= wordsMax) return [];
  return [...spaces.map((at) => words.slice(0, at)), ...spaces.map((at) => words.slice(at + 1))];
}

/** Forms that are related by a spelling of one country only: S.A.S. is no kind of S.A. where most companies have it, in France. */
const unrelated: Readonly<Record<string, string>> = { sas: 'sa' };

function relate(found: Map<string, Set<string>>, part: string, whole: string): void {
  if (unrelated[whole] === part) return;
  if (part === '' || part === whole || !(whole.startsWith(part) || whole.endsWith(part))) return;
  note(found, part, whole);
  note(found, whole, part);
}

function note(found: Map<string, Set<string>>, form: string, other: string): void {
  const known = found.get(form);
  if (known === undefined) found.set(form, new Set([other]));
  else known.add(other);
}
