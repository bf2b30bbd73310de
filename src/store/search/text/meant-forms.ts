/**
 * Finds the legal forms that words of a question may mean although they are spelled differently: mistyped ("limitd"),
 * not finished ("spółka z ograniczoną", as lists of 35 characters cut it), or followed by something else. Complete and
 * correct forms at either end of a question are recognised before; see legal-forms.ts.
 */
import { type FormNode, formSpellings } from '../../../lei/names/legal-forms.ts';
import { mayBeSplit } from '../../../lei/names/name-terms.ts';
import { certainty, searchLimits } from '../limits.ts';
import { formWordsBegunBy, isFormWord, mayEndForm, nearFormWords } from './form-words.ts';

export interface MeantForm {
  readonly token: string;
  /**
   * The words that mean it: from index `from` up to `to` (exclusive). The first word also stands behind the last: "ltd larkmoor
   * pty" ends with "pty ltd".
   */
  readonly from: number;
  readonly to: number;
  readonly certainty: number;
}

/** Whether the word of that index, of so many words, means the form. */
export function isWordOf({ from, to }: Pick<MeantForm, 'from' | 'to'>, at: number, words: number): boolean {
  return (at >= from && at < to) || at + words < to;
}

/** A node in the tree of forms, and the certainty that the words so far lead to it. */
interface FormStep {
  readonly node: FormNode;
  readonly certainty: number;
}

/**
 * Each form once, by the most certain of its readings; the most certain forms if there are many.
 * @param unknown those of the words that no name has
 */
export function meantForms(words: readonly string[], unknown: ReadonlySet<string>): MeantForm[] {
  const meant = formsAmong(words);
  for (const { words: respaced, from: starts, to: ends } of otherSpacings(words, unknown)) {
    for (const form of formsAmong(respaced).values()) {
      const [from, to] = [starts[form.from] ?? 0, ends[form.to - 1] ?? words.length];
      const isNarrower = to - from < lengthOf(meant.get(form.token));
      if (from < to && !isNarrower)
        note(meant, { ...form, from, to, certainty: form.certainty * certainty.formRespaced });
    }
  }
  noteSplitInFront(words, meant);
  noteMoved(words, meant);
  const surestFirst = [...meant.values()].sort((a, b) => b.certainty - a.certainty);
  return surestFirst.slice(0, searchLimits.meantFormsMax);
}

function formsAmong(words: readonly string[]): Map<string, MeantForm> {
  const meant = new Map<string, MeantForm>();
  const from = Math.max(0, words.length - searchLimits.formWordsMax);
  // At least one word must remain as the name; try the longest run first.
  if (mayEndForm(words[words.length - 1] ?? '')) {
    for (let start = Math.max(1, from); start < words.length; start++) followToEnd(words, start, meant);
  }
  followFromFront(words, meant);
  findWritten(words, meant);
  return meant;
}

/**
 * Other words made of the same letters, each with the range (end exclusive) of the old words that mean a form which begins
 * or ends with it. A form that is only a part of an old word leaves that word out: the rest of it means something else. A reading
 * of more words counts before it.
 */
interface Spacing {
  readonly words: readonly string[];
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/**
 * "li mited", "proprieta ry limited", "spolka zograniczona", "larkmoorspolka z ograniczona": a word of a form that was
 * split, or two words that were joined, one of them of a form.
 */
function* otherSpacings(words: readonly string[], unknown: ReadonlySet<string>): Generator<Spacing> {
  const from = words.map((_, at) => at);
  const to = words.map((_, at) => at + 1);
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    if (next !== undefined && areFormWord(word, next, unknown)) {
      yield {
        words: words.toSpliced(at, 2, word + next),
        from: from.toSpliced(at + 1, 1),
        to: to.toSpliced(at, 1),
      };
    }
    const cut = cutOf(word, next);
    if (cut > 0) {
      yield {
        words: words.toSpliced(at, 1, word.slice(0, cut), word.slice(cut)),
        from: from.toSpliced(at + 1, 0, at + 1),
        to: to.toSpliced(at, 0, at),
      };
    }
  }
}

/**
 * True for two halves of a word of legal forms, which may be mistyped if no name has one of them: "limi tde". A single letter is an
 * initial then.
 */
function areFormWord(first: string, second: string, unknown: ReadonlySet<string>): boolean {
  if (isFormWord(first + second)) return true;
  const mayBeMistyped = first.length > 1 && second.length > 1 && (unknown.has(first) || unknown.has(second));
  return mayBeMistyped && nearFormWords(first + second).length > 0;
}

/**
 * Where a word is two words of legal forms, or ends with a word of a form that the next word continues ("larkmoorspolka
 * z"); 0 if it is not.
 */
function cutOf(word: string, next: string | undefined): number {
  for (let at = 1; at < word.length; at++) {
    const end = word.slice(at);
    if (!isFormWord(end)) continue;
    if (at > 1 && beginsForm(end, next)) return at;
    if (word.length >= joinedLettersMin && isFormWord(word.slice(0, at))) return at;
  }
  return 0;
}

/** Whether two words, one after the other, begin a legal form. */
export function beginsForm(word: string, next: string | undefined): boolean {
  return next !== undefined && formSpellings().next.get(word)?.next.has(next) === true;
}

/**
 * True if the last words begin a legal form and are none themselves: "gumotex akciová".
 * @param mayBeForm whether a single word may do so. Short and common words are words of the name: "group", "power"
 */
export function endsWithin(words: readonly string[], mayBeForm: (word: string) => boolean): boolean {
  for (let from = 1; from < words.length; from++) {
    const node = nodeOf(words, from);
    if (node === undefined || node.token !== '' || node.next.size === 0) continue;
    const [first = '', ...others] = words.slice(from);
    if (others.length > 0 || (first.length >= shortestFormBegun && mayBeForm(first))) return true;
  }
  return false;
}

const shortestFormBegun = 5;

interface FormsBegun {
  /** The form that the word is; empty for none. */
  readonly token: string;
  /** The longer forms that begin with it. */
  readonly longer: readonly string[];
}

const noForms: FormsBegun = { token: '', longer: [] };
const formsBegun = new Map<string, FormsBegun>();

/** The forms that a word is or begins. */
export function formsBegunBy(word: string): FormsBegun {
  const node = formSpellings().next.get(word);
  if (node === undefined) return noForms;
  const known = formsBegun.get(word);
  if (known !== undefined) return known;
  const ends = endsFrom({ node, certainty: certainty.typed });
  const longer = new Set(ends.map(({ token }) => token));
  longer.delete('');
  longer.delete(node.token);
  const found = { token: node.token, longer: [...longer] };
  formsBegun.set(word, found);
  return found;
}

/** Shorter words may be two short forms by chance. */
const joinedLettersMin = 8;

/** The surest reading of a form counts; a form of more words ("corp oration") also before a sure one of a part of them. */
function note(meant: Map<string, MeantForm>, form: MeantForm): void {
  const known = meant.get(form.token);
  if (form.token === '') return;
  const isWider = form.certainty >= certainty.joined && lengthOf(form) > lengthOf(known);
  if (known === undefined || known.certainty < form.certainty || isWider) meant.set(form.token, form);
}

/** "osaühi ng reiner": nobody splits the first word of a name into a legal form. */
function noteSplitInFront(
  [first = '', second = '', ...others]: readonly string[],
  meant: Map<string, MeantForm>,
): void {
  const token = formSpellings().next.get(first + second)?.token ?? '';
  if (others.length > 0) note(meant, { token, from: 0, to: 2, certainty: certainty.joined });
}

/** "limited larkmoor", "ltd larkmoor pty", "larkmoor limitada sociedad": the last word of a form stands before its place. */
function noteMoved(words: readonly string[], meant: Map<string, MeantForm>): void {
  const to = words.length;
  for (const at of new Set([0, to - 4, to - 3, to - 2])) {
    const word = words[at];
    if (word === undefined || at === to - 1) continue;
    const found = writtenAtEnd([...words.toSpliced(at, 1), word]);
    if (found === null) continue;
    // The other words of the form end the question, too; beside them the moved word stands in front or right before.
    if (at === 0) note(meant, { ...found, from: found.from + 1, to: to + 1 });
    else if (found.from <= at) note(meant, found);
  }
}

/** The longest form that the last words are, or are if the last two are one. At least one word must remain as the name. */
function writtenAtEnd(words: readonly string[]): MeantForm | null {
  const to = words.length;
  const joined = words.slice(-2).join('');
  for (let from = Math.max(1, to - searchLimits.formWordsMax); from < to; from++) {
    const written = words.slice(from);
    const token = tokenOf(written) || (from < to - 1 ? tokenOf([...written.slice(0, -2), joined]) : '');
    if (token !== '') return { token, from, to, certainty: certainty.joined };
  }
  return null;
}

/** The form that the words are; empty for none. */
function tokenOf(words: readonly string[]): string {
  return nodeOf(words, 0)?.token ?? '';
}

/** Where the words from that place on lead in the tree of forms. */
function nodeOf(words: readonly string[], from: number): FormNode | undefined {
  let node: FormNode | undefined = formSpellings();
  for (let at = from; at < words.length && node !== undefined; at++) node = node.next.get(words[at] ?? '');
  return node;
}

/** The forms that words are together with a further one at any place among them. */
export function formsWithFurther(words: readonly string[], further: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (let at = 0; at <= words.length; at++) found.add(tokenOf(words.toSpliced(at, 0, further)));
  found.delete('');
  return found;
}

function lengthOf(form: MeantForm | undefined): number {
  return form === undefined ? 0 : form.to - form.from;
}

/** Forms at the end of the question: whole ones, those whose last word is unfinished, or the first of several words. */
function followToEnd(words: readonly string[], from: number, meant: Map<string, MeantForm>): void {
  const to = words.length;
  const last = words[to - 1] ?? '';
  // Skip a single letter, which may begin any word.
  if (to - from === 1 && !mayBeSplit(last)) return;
  let steps: readonly FormStep[] = [{ node: formSpellings(), certainty: certainty.typed }];
  for (let at = from; at < to - 1; at++) steps = steps.flatMap((step) => stepsOn(step, words[at] ?? ''));
  const ends = steps.flatMap((step) => (to - from > 1 ? endsOfSeveral(step, last) : endsOfOne(step, last)));
  for (const end of ends) note(meant, { ...end, from, to });
}

type End = Pick<MeantForm, 'token' | 'certainty'>;

/** After several words of a form, any word of it may follow. */
function endsOfSeveral(step: FormStep, last: string): End[] {
  return [...stepsOn(step, last), ...stepsBegun(step, last)].flatMap(endsFrom);
}

/** A single word that is not a form itself is more often the beginning of a name: "comm". */
function endsOfOne(step: FormStep, last: string): End[] {
  const meant = stepsOn(step, last).map(({ node, certainty: sure }) => ({
    token: node.token,
    certainty: sure,
  }));
  const begun = stepsBegun(step, last).filter(({ node }) => node.token !== '');
  return [...meant, ...begun.flatMap(endsFrom)];
}

/** Whole forms of several words in front of the name. */
function followFromFront(words: readonly string[], meant: Map<string, MeantForm>): void {
  let steps: readonly FormStep[] = [{ node: formSpellings(), certainty: certainty.typed }];
  for (let at = 0; at < words.length - 1 && steps.length > 0; at++) {
    steps = steps.flatMap((step) => stepsOn(step, words[at] ?? ''));
    if (at === 0) continue;
    for (const { node, certainty: sure } of steps) {
      note(meant, { token: node.token, from: 0, to: at + 1, certainty: sure });
    }
  }
}

/**
 * Whole forms among the words, as in "Unicredit, Società per Azioni, Milano": names are pasted with the place after
 * them. The first word is excluded: a single word there may be part of the name.
 */
function findWritten(words: readonly string[], meant: Map<string, MeantForm>): void {
  for (let from = 1; from < words.length; ) {
    const form = longestWritten(words, from);
    if (form !== null && !meant.has(form.token)) meant.set(form.token, form);
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

/**
 * Continues with a word as it is, and with those it may be a misspelling of: the published list has errors of its own.
 */
function stepsOn({ node, certainty: sure }: FormStep, word: string): FormStep[] {
  const exact = node.next.get(word);
  const steps = exact === undefined ? [] : [{ node: exact, certainty: sure }];
  for (const { spelling, distance } of nearFormWords(word)) {
    const next = node.next.get(spelling);
    if (next !== undefined) steps.push({ node: next, certainty: sure * (certainty.mistyped[distance] ?? 0) });
  }
  return steps;
}

/** Continues with the words that a word may be the beginning of. */
function stepsBegun({ node, certainty: sure }: FormStep, word: string): FormStep[] {
  const steps: FormStep[] = [];
  for (const spelling of spellingsBegun(node, word)) {
    const next = node.next.get(spelling);
    if (next !== undefined && spelling !== word)
      steps.push({ node: next, certainty: sure * certainty.begun });
  }
  return steps;
}

/** About 900 words may be the first of a form, and only a few may follow any of them. */
function spellingsBegun(node: FormNode, word: string): Iterable<string> {
  if (node === formSpellings()) return formWordsBegunBy(word);
  return node.next.keys().filter((spelling) => spelling.startsWith(word));
}

/** The form that ends here, and those that may follow. */
function endsFrom({ node, certainty: sure }: FormStep): End[] {
  const following = Array.from(node.next.values(), (next) => ({ node: next, certainty: sure }));
  return [{ token: node.token, certainty: sure }, ...following.flatMap(endsFrom)];
}
