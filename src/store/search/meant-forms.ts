/**
 * Legal forms that words of a question may have been meant for although they are none as they stand: mistyped
 * ("limitd"), not finished ("spółka z ograniczoną", as lists of 35 characters cut it), or followed by something else.
 * Forms that are written in full and without an error at either end are no words of a question any more; see
 * legal-forms.ts.
 */
import { type FormNode, formSpellings } from '../../lei/names/legal-forms.ts';
import { mayBeSplit } from '../../lei/names/name-terms.ts';
import { certainty } from './certainty.ts';
import { searchLimits } from './limits.ts';
import { mayEndForm, nearFormWords } from './near-form-words.ts';

export interface MeantForm {
  readonly token: string;
  /** The words that are meant for it, `to` excluded. */
  readonly from: number;
  readonly to: number;
  readonly certainty: number;
}

/** A way to go on in the table of forms. */
interface Step {
  readonly node: FormNode;
  readonly certainty: number;
}

/** Each form once, by the surest of its readings; the surest forms where there are many. */
export function meantForms(words: readonly string[]): MeantForm[] {
  const found = new Map<string, MeantForm>();
  const from = Math.max(0, words.length - searchLimits.formWordsMax);
  // Something must be left as the name; the longest run is the most telling.
  if (mayEndForm(words[words.length - 1] ?? '')) {
    for (let start = Math.max(1, from); start < words.length; start++) followToEnd(words, start, found);
  }
  followFromFront(words, found);
  findWritten(words, found);
  const surestFirst = [...found.values()].sort((a, b) => b.certainty - a.certainty);
  return surestFirst.slice(0, searchLimits.meantFormsMax);
}

function note(found: Map<string, MeantForm>, form: MeantForm): void {
  const known = found.get(form.token);
  if (form.token !== '' && (known === undefined || known.certainty < form.certainty)) {
    found.set(form.token, form);
  }
}

/** Forms at the end of the question: whole ones, the last word perhaps unfinished, or the beginning of several words. */
function followToEnd(words: readonly string[], from: number, found: Map<string, MeantForm>): void {
  const to = words.length;
  const last = words[to - 1] ?? '';
  // One letter alone may be the beginning of anything.
  if (to - from === 1 && !mayBeSplit(last)) return;
  let steps: readonly Step[] = [{ node: formSpellings(), certainty: certainty.typed }];
  for (let at = from; at < to - 1; at++) steps = steps.flatMap((step) => stepsOn(step, words[at] ?? ''));
  const ends = steps.flatMap((step) => (to - from > 1 ? endsOfSeveral(step, last) : endsOfOne(step, last)));
  for (const end of ends) note(found, { ...end, from, to });
}

type End = Pick<MeantForm, 'token' | 'certainty'>;

/** After several words of a form it may go on as it likes. */
function endsOfSeveral(step: Step, last: string): End[] {
  return [...stepsOn(step, last), ...stepsBegun(step, last)].flatMap(endsFrom);
}

/** A single word that is no form by itself is more often the beginning of a name: "comm". */
function endsOfOne(step: Step, last: string): End[] {
  const meant = stepsOn(step, last).map(({ node, certainty: sure }) => ({
    token: node.token,
    certainty: sure,
  }));
  const begun = stepsBegun(step, last).filter(({ node }) => node.token !== '');
  return [...meant, ...begun.flatMap(endsFrom)];
}

/** Whole forms of several words in front of the name. */
function followFromFront(words: readonly string[], found: Map<string, MeantForm>): void {
  let steps: readonly Step[] = [{ node: formSpellings(), certainty: certainty.typed }];
  for (let at = 0; at < words.length - 1 && steps.length > 0; at++) {
    steps = steps.flatMap((step) => stepsOn(step, words[at] ?? ''));
    if (at === 0) continue;
    for (const { node, certainty: sure } of steps) {
      note(found, { token: node.token, from: 0, to: at + 1, certainty: sure });
    }
  }
}

/**
 * Whole forms among the words, as in "Unicredit, Società per Azioni, Milano": names are pasted with the place after them.
 * In front a single word may be anything.
 */
function findWritten(words: readonly string[], found: Map<string, MeantForm>): void {
  for (let from = 1; from < words.length; ) {
    const form = longestWritten(words, from);
    if (form !== null && !found.has(form.token)) found.set(form.token, form);
    from = form?.to ?? from + 1;
  }
}

function longestWritten(words: readonly string[], from: number): MeantForm | null {
  let longest: MeantForm | null = null;
  let node = formSpellings().next.get(words[from] ?? '');
  for (let to = from + 1; node !== undefined; to++) {
    if (node.token !== '') longest = { token: node.token, from, to, certainty: certainty.typed };
    node = node.next.get(words[to] ?? '');
  }
  return longest;
}

/** On with a word as it stands, and with those it may be mistyped for: the published list has errors of its own. */
function stepsOn({ node, certainty: sure }: Step, word: string): Step[] {
  const exact = node.next.get(word);
  const steps = exact === undefined ? [] : [{ node: exact, certainty: sure }];
  for (const { spelling, distance } of nearFormWords(word)) {
    const next = node.next.get(spelling);
    if (next !== undefined) steps.push({ node: next, certainty: sure * (certainty.mistyped[distance] ?? 0) });
  }
  return steps;
}

/** On with what a word may be the beginning of. */
function stepsBegun({ node, certainty: sure }: Step, word: string): Step[] {
  const steps: Step[] = [];
  for (const [spelling, next] of node.next) {
    if (spelling.length > word.length && spelling.startsWith(word)) {
      steps.push({ node: next, certainty: sure * certainty.begun });
    }
  }
  return steps;
}

/** The form that ends here, and those that may follow. */
function endsFrom({ node, certainty: sure }: Step): End[] {
  const following = Array.from(node.next.values(), (next) => ({ node: next, certainty: sure }));
  return [{ token: node.token, certainty: sure }, ...following.flatMap(endsFrom)];
}
