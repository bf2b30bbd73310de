/**
 * Computes which share of the typed questions an engine can answer at best. Several companies may have become the same
 * question, each by some kind of change: which of them was meant is chance. The best engine knows all companies and how
 * likely each kind of change makes the question of each name, and shows those companies that are right most likely.
 */
import { editDistance, unitsOf } from '../../../src/lei/names/edit-distance.ts';
import { connector } from '../../../src/lei/names/fold.ts';
import { isForm, nameKey, nameTerms } from '../../../src/lei/names/name-terms.ts';
import type { LinkedCompany } from '../../support/index-companies.ts';
import { otherForms } from './questions.ts';
import { createRandom } from './random.ts';
import { type TypedQuestion, wholeKey } from './typed-questions.ts';

/** Changes of names; all kinds that leave the letters of a name as they are count as `whole`. */
const changes = [
  'whole',
  'no form',
  'other form',
  'word dropped',
  'words moved',
  'unfinished',
  'one error',
  'two errors',
] as const;
type Change = (typeof changes)[number];

type Asked = Pick<TypedQuestion, 'q' | 'right'> & { readonly kind: string };

/** One way in which a question may have come about. */
export interface Origin {
  readonly entity: number;
  readonly change: Change;
  /** How likely the change makes this question of the name. */
  readonly likelihood: number;
  /** The companies with this key are right: of the whole name, or of its core. */
  readonly rightKey: string;
  /** Both keys of the name. */
  readonly keys: readonly string[];
}

/** The origins of each question, in order of the questions. Those of parts of the companies can be joined. */
export function originsOf(questions: readonly Asked[], companies: Iterable<LinkedCompany>): Origin[][] {
  const origins = new Map(questions.map((question) => [question, new Map<string, Origin>()]));
  const originsIn = originsByName(questions);
  for (const { entity, names } of companies) {
    for (const [place, { name }] of names.entries()) {
      for (const [question, origin] of originsIn(name)) {
        // Other names are asked for as they are. A company with a name twice is one origin.
        if (place > 0 && origin.change !== 'whole') continue;
        const key = `${entity} ${origin.change} ${origin.rightKey}`;
        origins.get(question)?.set(key, { entity, ...origin });
      }
    }
  }
  return questions.map((question) => [...(origins.get(question)?.values() ?? [])]);
}

/** The chance that one of the first `places` companies of the best engine is right. Orders of equal companies are drawn. */
export function chanceAmong(places: number, origins: readonly Origin[], { right }: Asked): number {
  if (!origins.some(({ entity }) => right.has(entity))) return 1;
  const likelihoods = new Map<string, number>();
  for (const { rightKey, likelihood } of origins) {
    likelihoods.set(rightKey, (likelihoods.get(rightKey) ?? 0) + likelihood);
  }
  const companies = [...new Map(origins.map((origin) => [origin.entity, origin])).values()];
  if (companies.length <= places) return 1;
  let hits = 0;
  for (let draw = 0; draw < draws; draw++) {
    if (firstOf(companies, places, new Map(likelihoods), draw).some((entity) => right.has(entity))) hits++;
  }
  return hits / draws;
}

const draws = 24;

/** Takes the company that is right most likely, and then the next that is right where those before it are not. */
function firstOf(
  companies: readonly Origin[],
  places: number,
  left: Map<string, number>,
  draw: number,
): number[] {
  const random = createRandom(draw);
  const open = companies.map((origin) => ({ ...origin, lot: random.number() }));
  const chosen: number[] = [];
  while (chosen.length < places && open.length > 0) {
    const worth = ({ keys, lot }: (typeof open)[number]) =>
      keys.reduce((sum, key) => sum + (left.get(key) ?? 0), 0) * (1 + lot * 1e-9);
    const best = open.reduce((one, other) => (worth(other) > worth(one) ? other : one));
    open.splice(open.indexOf(best), 1);
    chosen.push(best.entity);
    for (const key of best.keys) left.delete(key);
  }
  return chosen;
}

/** Keeps the origins by which a question of its kind may have come about. */
export function ofKind(origins: readonly Origin[], { kind }: Asked): Origin[] {
  const wanted = changes.find((change) => change === kind) ?? 'whole';
  return origins.filter(({ change }) => change === wanted);
}

type OriginInName = Omit<Origin, 'entity'>;
type Found = readonly [question: Asked, change: Change, likelihood: number, right: 'whole' | 'core'];

/** A name in the forms in which questions are looked up. */
interface Name {
  readonly name: string;
  readonly terms: readonly string[];
  readonly core: readonly string[];
  readonly words: readonly string[];
}

/** Finds the questions that a name may have become. */
function originsByName(
  questions: readonly Asked[],
): (name: string) => readonly (readonly [Asked, OriginInName])[] {
  const finders = [
    unchanged(questions),
    withOtherForm(questions),
    withWordDropped(questions),
    withWordsMoved(questions),
    unfinishedNames(questions),
    mistyped(questions),
  ];
  return (name) => {
    const terms = nameTerms(name);
    const forms: Name = { name, terms, core: withoutForms(terms), words: writtenWords(name) };
    const keys = { whole: `whole ${wholeKey(name)}`, core: `core ${nameKey(terms)}` };
    return finders
      .flatMap((find) => find(forms))
      .map(([question, change, likelihood, right]) => [
        question,
        { change, likelihood, rightKey: keys[right], keys: [keys.whole, keys.core] },
      ]);
  };
}

type Finder = (name: Name) => readonly Found[];

function questionsBy(
  questions: readonly Asked[],
  key: (q: string) => string,
): (key: string) => readonly Asked[] {
  const all = Map.groupBy(questions, ({ q }) => key(q));
  return (wanted) => all.get(wanted) ?? [];
}

function unchanged(questions: readonly Asked[]): Finder {
  const asked = questionsBy(questions, wholeKey);
  return ({ name }) => asked(wholeKey(name)).map((question) => [question, 'whole', 1, 'whole']);
}

function withOtherForm(questions: readonly Asked[]): Finder {
  const asked = questionsBy(questions, (q) => nameKey(nameTerms(q)));
  return ({ terms }) =>
    asked(nameKey(terms)).map((question) => {
      const form = formsOf(question.q).join(' ');
      return form === ''
        ? [question, 'no form', 1, 'core']
        : [question, 'other form', otherFormShares.get(form) ?? 0, 'core'];
    });
}

function withWordDropped(questions: readonly Asked[]): Finder {
  const [byWords, byTerms] = [
    questionsBy(questions, (q) => writtenWords(q).join(' ')),
    questionsBy(questions, (q) => nameTerms(q).join(' ')),
  ];
  const shorter = (list: readonly string[]) => list.map((_, at) => list.toSpliced(at, 1).join(' '));
  return ({ words, terms, core }) => {
    if (words.length < 3 || words.length > droppedFromMax) return [];
    const asked = [...shorter(words).flatMap(byWords), ...shorter(terms).flatMap(byTerms)];
    return [...new Set(asked)].map((question) => {
      const lacksForm = sorted(nameTerms(question.q)) === sorted(core);
      return [question, 'word dropped', 1 / words.length, lacksForm ? 'core' : 'whole'];
    });
  };
}

function withWordsMoved(questions: readonly Asked[]): Finder {
  const asked = questionsBy(questions, (q) => sorted(nameTerms(q)));
  return ({ terms, core }) => {
    const moved = (list: readonly string[]) =>
      asked(sorted(list)).filter(({ q }) => nameTerms(q).join(' ') !== list.join(' '));
    const without = core.length < terms.length ? moved(core) : [];
    return [
      ...moved(terms).map((question): Found => [question, 'words moved', 1 / terms.length, 'whole']),
      ...without.map((question): Found => [question, 'words moved', 1 / terms.length, 'core']),
    ];
  };
}

function unfinishedNames(questions: readonly Asked[]): Finder {
  const asked = questionsBy(questions, (q) => nameTerms(q).join(' '));
  return ({ core }) => {
    const last = core.at(-1) ?? '';
    if (core.length < 2 || !/^\p{L}{5,}$/u.test(last)) return [];
    const begun = [...core.slice(0, -1), last.slice(0, Math.ceil(last.length * 0.6))].join(' ');
    return asked(begun).map((question) => [question, 'unfinished', 1, 'core']);
  };
}

/** Longer names take long, and hardly any two of them differ by a word. */
const droppedFromMax = 12;

/** How likely each form is dealt. */
const otherFormShares = new Map(
  [...Map.groupBy(otherForms, (form) => formsOf(form).join(' '))].map(([form, all]) => [
    form,
    all.length / otherForms.length,
  ]),
);

function formsOf(text: string): string[] {
  return nameTerms(`x ${text}`).filter(isForm);
}

function withoutForms(terms: readonly string[]): string[] {
  return terms.filter((term) => !isForm(term) && term !== connector);
}

function sorted(terms: readonly string[]): string {
  return [...terms].sort().join(' ');
}

/** The words as they stand, but for marks and accents. */
function writtenWords(text: string): string[] {
  const plain = text.normalize('NFKD').toLowerCase();
  return plain.split(/\s+/).flatMap((word) => word.replace(/[^\p{L}\p{N}&]+/gu, '') || []);
}

/**
 * Names with one or two errors: of three places, a question of the name has the same word at one at least. Questions of other
 * kinds have origins that are far likelier.
 */
function mistyped(questions: readonly Asked[]): Finder {
  const keysOf = (words: readonly string[]) =>
    words.length < placesCompared
      ? [String(words.length)]
      : words.slice(0, placesCompared).map((word, at) => `${words.length} ${at} ${word}`);
  const all = questions
    .filter(({ kind }) => kind === 'one error' || kind === 'two errors')
    .map((question) => ({ question, words: wordsOf(question.q.toLowerCase()) }));
  const byKey = Map.groupBy(
    all.flatMap((one) => keysOf(one.words).map((key) => ({ key, one }))),
    ({ key }) => key,
  );
  return ({ name }) => {
    const words = wordsOf(name.toLowerCase());
    const near = new Set(
      keysOf(words)
        .flatMap((key) => byKey.get(key) ?? [])
        .map(({ one }) => one),
    );
    return [...near].flatMap(({ question, words: asked }): Found[] => {
      const errors = errorsBetween(words, asked);
      if (errors === null) return [];
      const likelihood = likelihoodOfErrors(name, question.q, errors);
      return [[question, errors === 1 ? 'one error' : 'two errors', likelihood, 'whole']];
    });
  };
}

const placesCompared = 3;

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

const [some, other] = [new Uint16Array(100), new Uint16Array(100)];

/** How many errors, in words of four letters or more, make a question of a name; null for none and for more than two. */
function errorsBetween(name: readonly string[], question: readonly string[]): 1 | 2 | null {
  let errors = 0;
  for (let at = 0; at < name.length; at++) {
    const [before = '', after = ''] = [name[at], question[at]];
    if (before === after) continue;
    if (
      Math.abs(before.length - after.length) > 2 ||
      !/^[a-z]{4,99}$/.test(before) ||
      after.length > some.length
    )
      return null;
    unitsOf(before, some);
    unitsOf(after, other);
    errors += editDistance(some, before.length, other, after.length, 2);
    if (errors > 2) return null;
  }
  return errors === 1 || errors === 2 ? errors : null;
}

/** A missing letter and exchanged ones are more likely than each of 26 letters in addition or instead. */
function likelihoodOfErrors(name: string, q: string, errors: number): number {
  const letters = name.length;
  const left = [...name.toLowerCase()];
  let strange = 0;
  for (const letter of q.toLowerCase()) {
    const at = left.indexOf(letter);
    if (at < 0) strange++;
    else left.splice(at, 1);
  }
  return (1 / (4 * letters)) ** errors / 26 ** strange;
}
