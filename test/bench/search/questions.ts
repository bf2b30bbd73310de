/** Makes questions as people type them, from real names: one kind of change each, with the right company. */
import { foldedWords } from '../../../src/lei/names/fold.ts';
import { separateGluedForms, splitLegalForms } from '../../../src/lei/names/legal-forms.ts';
import { nameKey, nameTerms } from '../../../src/lei/names/name-terms.ts';
import type { LinkedCompany } from '../../support/index-companies.ts';
import { createRandom, type Random } from './random.ts';

export const questionKinds = [
  'exact',
  'folded',
  'no legal form',
  'other legal form',
  'one typing error',
  'two typing errors',
  'word missing',
  'words swapped',
  'joined',
  'split',
  'connector',
  'initials',
  'unfinished',
  'other name',
  'part of a name without spaces',
  'identifier',
  'mistyped legal form',
  'unfinished legal form',
  'two errors, six letters or more',
] as const;
export type QuestionKind = (typeof questionKinds)[number];

export interface Question {
  readonly kind: QuestionKind;
  readonly q: string;
  /** Entity numbers of the companies with this name: any of them is right. */
  readonly right: ReadonlySet<number>;
}

/**
 * The half of the real names: the weights and bounds of the search were chosen with one half, the report is about the
 * other.
 */
export type Half = 'tuning' | 'reporting';

export function halfOf(lei: string): Half {
  let sum = 0;
  for (const character of lei) sum = (sum * 31 + character.charCodeAt(0)) % 1009;
  return sum % 2 === 0 ? 'tuning' : 'reporting';
}

/** At most `perKind` questions of each kind. */
export function makeQuestions(companies: readonly LinkedCompany[], half: Half, perKind: number): Question[] {
  const random = createRandom(half === 'tuning' ? 11 : 12);
  const sameName = companiesByName(companies);
  const candidates = companies.filter(({ lei, registrationStatus }) => {
    return halfOf(lei) === half && registrationStatus !== 'DUPLICATE' && registrationStatus !== 'ANNULLED';
  });
  const questions: Question[] = [];
  for (const kind of questionKinds) {
    let made = 0;
    for (let tries = 0; tries < perKind * 200 && made < perKind; tries++) {
      const company = random.of(candidates);
      const question = makeQuestion(kind, company, random);
      if (question === null) continue;
      const right = rightAnswers(kind, question, company, sameName);
      questions.push({ kind, q: question.q, right });
      made++;
    }
  }
  return questions;
}

/** A part of a name that several companies share belongs to none of them more than to the others. */
function rightAnswers(
  kind: QuestionKind,
  question: Draft,
  company: LinkedCompany,
  sameName: ReadonlyMap<string, ReadonlySet<number>>,
): ReadonlySet<number> {
  const key = nameKey(nameTerms(question.name));
  if (kind !== 'part of a name without spaces') return sameName.get(key) ?? new Set([company.entity]);
  const part = nameKey(nameTerms(question.q));
  return new Set([...sameName].flatMap(([name, entities]) => (name.includes(part) ? [...entities] : [])));
}

function companiesByName(companies: readonly LinkedCompany[]): Map<string, Set<number>> {
  const byName = new Map<string, Set<number>>();
  for (const { names, entity } of companies) {
    for (const { name } of names) {
      const key = nameKey(nameTerms(name));
      const known = byName.get(key);
      if (known === undefined) byName.set(key, new Set([entity]));
      else known.add(entity);
    }
  }
  return byName;
}

interface Draft {
  readonly q: string;
  /** The original name. */
  readonly name: string;
}

/** Null if the company's name does not suit that kind. */
function makeQuestion(kind: QuestionKind, company: LinkedCompany, random: Random): Draft | null {
  if (kind === 'identifier') {
    const q = company.registeredAs !== null && random.number() < 0.4 ? company.registeredAs : company.lei;
    return /\d{4}/.test(q) ? { q, name: company.lei } : null;
  }
  const other = company.names.length > 1 ? random.of(company.names.slice(1)).name : null;
  if (kind === 'other name')
    return other === null || nameTerms(other).length === 0 ? null : { q: other, name: other };
  const name = company.names[0]?.name ?? '';
  const { core } = splitLegalForms(foldedWords(name));
  if (core.length === 0) return null;
  const q = changes[kind](name, [...core], random);
  return q === null || q.length < 2 ? null : { q, name };
}

type Change = (name: string, core: string[], random: Random) => string | null;

export const otherForms = ['Ltd', 'GmbH', 'S.A.', 'Inc.', 'LLC', 'B.V.', 'Limited', 'AG', 'S.r.l.', 'Oy'];
const latin = /^[a-z]+$/;

const changes: Record<Exclude<QuestionKind, 'identifier' | 'other name'>, Change> = {
  exact: (name) => name,
  folded: (name) => {
    const folded = name
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
      .toLowerCase();
    return folded === name.toLowerCase() && folded.length % 2 === 0 ? name.toUpperCase() : folded;
  },
  'no legal form': (name, core) => (core.length === foldedWords(name).length ? null : core.join(' ')),
  'other legal form': (_, core, random) => `${core.join(' ')} ${random.of(otherForms)}`,
  'one typing error': (_, core, random) => mistype(core, random, 4, 1),
  'two typing errors': (_, core, random) => mistype(core, random, 9, 2),
  'two errors, six letters or more': (_, core, random) => mistype(core, random, 6, 2),
  'word missing': (_, core, random) => {
    if (core.length < 3) return null;
    // People leave out less distinctive words: any word but the longest.
    const longest = core.reduce((best, word, i) => (word.length > (core[best]?.length ?? 0) ? i : best), 0);
    core.splice(random.of(core.map((_, i) => i).filter((i) => i !== longest)), 1);
    return core.filter((word) => word !== '&').length < 2 ? null : core.join(' ');
  },
  'words swapped': (_, core, random) => {
    if (core.length < 2) return null;
    const at = random.whole(core.length - 1);
    const [first = '', second = ''] = core.slice(at, at + 2);
    if (first === second) return null;
    core.splice(at, 2, second, first);
    return core.join(' ');
  },
  joined: (_, core, random) => {
    if (core.length < 2) return null;
    const at = random.whole(core.length - 1);
    const pair = core.slice(at, at + 2);
    if (!pair.every((word) => latin.test(word) && word.length > 2)) return null;
    core.splice(at, 2, pair.join(''));
    return core.join(' ');
  },
  split: (_, core, random) => {
    const at = core.findIndex((word) => latin.test(word) && word.length >= 8);
    if (at < 0) return null;
    const word = core[at] ?? '';
    const cut = 3 + random.whole(word.length - 5);
    core.splice(at, 1, word.slice(0, cut), word.slice(cut));
    return core.join(' ');
  },
  connector: otherConnector,
  initials: (name) => {
    const dotted = /(?:^|\s)((?:[A-Z]\.\s?){2,}(?:[A-Z](?![\p{L}\p{N}]))?)/u.exec(name);
    if (dotted?.[1] !== undefined) return name.replace(dotted[1], `${dotted[1].replace(/[.\s]/g, '')} `);
    const plain = /(?:^|\s)([A-Z]{2,4})(?=\s)/.exec(name);
    if (plain?.[1] === undefined || name === name.toUpperCase()) return null;
    return name.replace(plain[1], plain[1].split('').join('.').concat('.'));
  },
  unfinished: (_, core) => {
    const last = core[core.length - 1] ?? '';
    if (core.length < 2 || !latin.test(last) || last.length < 5) return null;
    return [...core.slice(0, -1), last.slice(0, Math.ceil(last.length * 0.6))].join(' ');
  },
  'part of a name without spaces': (name, _, random) => {
    const { core } = splitLegalForms(separateGluedForms(foldedWords(name)));
    const run = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{5,}/.exec(core.join(' '))?.[0];
    if (run === undefined) return null;
    const length = Math.max(4, Math.ceil(run.length * 0.7));
    const from = random.whole(run.length - length + 1);
    return run.slice(from, from + length);
  },
  'mistyped legal form': (name, _, random) => {
    const { words, coreLength } = beforeForms(name) ?? { words: [], coreLength: 0 };
    const core = words.slice(0, coreLength);
    const mistyped = mistype(words.slice(coreLength), random, 4, 1);
    if (mistyped === null) return null;
    const q = [...core, ...mistyped.split(' ')];
    return splitLegalForms(q).core.length > coreLength ? q.join(' ') : null;
  },
  'unfinished legal form': (name, _, random) => {
    const { words, coreLength } = beforeForms(name) ?? { words: [], coreLength: 0 };
    const core = words.slice(0, coreLength).join(' ');
    const forms = words.slice(coreLength).join(' ');
    if (forms.length < 5) return null;
    const q = `${core} ${forms.slice(0, 3 + random.whole(forms.length - 3)).trim()}`;
    return splitLegalForms(foldedWords(q)).core.length > coreLength ? q : null;
  },
};

/** The words of a name, and how many of them precede the legal form; null if there is none. */
function beforeForms(name: string): { readonly words: string[]; readonly coreLength: number } | null {
  const words = foldedWords(name);
  const { core } = splitLegalForms(words);
  const formsFollow = core.length < words.length && core.every((word, i) => word === words[i]);
  return formsFollow ? { words, coreLength: core.length } : null;
}

function mistype(core: string[], random: Random, lettersMin: number, errors: number): string | null {
  const places = core.flatMap((word, i) => (latin.test(word) && word.length >= lettersMin ? [i] : []));
  if (places.length === 0) return null;
  const at = random.of(places);
  let word = core[at] ?? '';
  for (let error = 0; error < errors; error++) word = oneError(word, random);
  if (word === core[at]) return null;
  core[at] = word;
  return core.join(' ');
}

/** Replaces, adds, removes or swaps a letter. */
export function oneError(word: string, random: Random): string {
  const at = random.whole(word.length);
  const letter = String.fromCharCode(97 + random.whole(26));
  switch (random.whole(4)) {
    case 0:
      return word.slice(0, at) + letter + word.slice(at + 1);
    case 1:
      return word.slice(0, at) + letter + word.slice(at);
    case 2:
      return word.slice(0, at) + word.slice(at + 1);
    default: {
      const first = Math.min(at, word.length - 2);
      return word.slice(0, first) + word.charAt(first + 1) + word.charAt(first) + word.slice(first + 2);
    }
  }
}

/** The name with "and" for "&", or the other way round; null if it has neither. */
export function otherConnector(name: string): string | null {
  if (/ & /.test(name)) return name.replace(/ & /g, ' and ');
  return / (?:and|und|et) /i.test(name) ? name.replace(/ (?:and|und|et) /gi, ' & ') : null;
}
