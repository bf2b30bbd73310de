/**
 * Tells which legal forms are a part of which others: "Pty" of "Pty Ltd", "S.A." of "S.A. de C.V.". People type some words
 * of a form and leave the others out.
 */
import { type FormNode, formSpellings } from '../../../lei/names/legal-forms.ts';

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
  const words: string[] = [];
  const visit = (node: FormNode, beginnings: readonly string[]) => {
    for (const part of node.token === '' ? [] : [...beginnings, ...formsAtEnd(words)])
      relate(found, part, node.token);
    if (words.length === wordsMax) return;
    const begun = node.token === '' ? beginnings : [...beginnings, node.token];
    for (const [word, next] of node.next) {
      words.push(word);
      visit(next, begun);
      words.pop();
    }
  };
  visit(formSpellings(), []);
  return found;
}

function relate(found: Map<string, Set<string>>, part: string, whole: string): void {
  if (part === whole || !(whole.startsWith(part) || whole.endsWith(part))) return;
  note(found, part, whole);
  note(found, whole, part);
}

function note(found: Map<string, Set<string>>, form: string, other: string): void {
  const known = found.get(form);
  if (known === undefined) found.set(form, new Set([other]));
  else known.add(other);
}

/** The forms that the last words are, without the first word. */
function formsAtEnd(words: readonly string[]): string[] {
  const tokens: string[] = [];
  for (let from = 1; from < words.length; from++) {
    let node: FormNode | undefined = formSpellings();
    for (let at = from; at < words.length && node !== undefined; at++) node = node.next.get(words[at] ?? '');
    if (node !== undefined && node.token !== '') tokens.push(node.token);
  }
  return tokens;
}
