/**
 * Scores a company for a question, from 0 to 1 with four decimals. The first three decimals say how well its best name
 * matches; the fourth is its grade (grades.ts), so that companies with equal scores are in order of LEI. Those found by
 * identifier all have 1 and are sorted by LEI (rank/best-hits.ts).
 *
 *     0.9 – 1      the question is the whole name (folded, with its legal form or none), or an identifier (1)
 *     0.3 – 0.9    0.3 + 0.6 × matched² × (0.715 + 0.17 × covered + 0.09 × order + 0.025 × begins) × forms
 *     0.1 – 0.3    further hits of a very common question, scored by less than their names
 *     below 0.1    duplicates of other records: a tenth of the score by their names
 *
 * `matched` is the share of the question's weight that the name has, each word by its certainty, and is not squared if the
 * name has all words of the question, no other words and no other legal form; `covered` is the share of the name's weight that
 * the question has; `order` the share of neighbouring words that follow each other in the name too, at least a half if the
 * name has all words of the question and no others; `begins` is 1 if the name begins with a word or form of the question. A word
 * weighs by its rarity. `forms` says how the legal forms differ. An other or previous name scores less. A registration that
 * is not live scores a little less, by less than a word or a wrong legal form; an annulled record keeps 0.6 of its score above
 * 0.3.
 */
import { uint32At } from '../../../bytes/numbers-in-bytes.ts';
import { type IndexShape, nameKinds } from '../format.ts';
import { placeInRow, rowOfNames } from '../index/document-terms.ts';
import type { IndexParts } from '../parts.ts';
import type { QueryPlan } from '../plan/query-plan.ts';
import { grades, gradesMax } from './grades.ts';
import { type FormDifference, NameMatch } from './name-match.ts';

/** How a name differs that has the words of the question and no others, but not its legal form: another one, or none. */
type Namesake = Extract<FormDifference, 'other' | 'missing'>;

export interface ScoredDocument {
  /** 0 to 999. */
  readonly relevance: number;
  /** The index of the best matching name. */
  readonly nameIndex: number;
  /** Entity number in the publication. */
  readonly entity: number;
  /** Null unless that name is the legal one and a namesake. */
  readonly namesake: Namesake | null;
  /** The relevance of the best of the other names, and its index. */
  readonly otherwise: number;
  readonly otherwiseIndex: number;
}

/**
 * The share that counts of a legal name with all words of the question, no others, and another form, if one company has such
 * a name, two, or more. A name with one more word and the typed form may be meant as well; its other words decide. People
 * mistake the form of a company that is alone with its words. Where several differ by the form, it was typed to tell them
 * apart.
 */
const otherFormShares = [0.97, 0.92, 0.84] as const;
/** The most companies with such a legal name that are told apart. */
export const namesakesCounted = otherFormShares.length;
/**
 * The same for all but the first of these companies, and for other names: further ones tell no more about what was meant, and
 * would hide the companies with one more word.
 */
const furtherNamesakeShare = 0.8;

interface NameKind {
  /** How much a name that equals the question loses. */
  readonly loss: number;
  /** The share that counts of the match of another name. */
  readonly share: number;
  /** The share that counts of a name with all words of the question, no others, and another form. */
  readonly otherForm: number;
}

const previousName: NameKind = { loss: 30, share: 0.9, otherForm: 0.9 * furtherNamesakeShare };
const kinds: Readonly<Record<number, NameKind>> = {
  [nameKinds.legal]: { loss: 0, share: 1, otherForm: otherFormShares[0] },
  [nameKinds.other]: { loss: 20, share: 0.92, otherForm: 0.92 * furtherNamesakeShare },
  [nameKinds.previous]: previousName,
};
/** Relevance of a company with the question as its legal name. */
export const relevanceMax = 999;
/** The losses of a name that is the whole question, in thousandths. */
const equal = {
  joinedOtherwise: 10,
  notLive: 3,
  inactive: 5,
} as const;
/** The same by its legal forms. With other forms than these it is not the whole question. */
const formLosses = { none: 0, notAsked: 1, surplus: 6, related: 8, missing: null, other: null } as const;
/** Relevance of names that are not the whole question: the lowest, and the best. */
const inPartMin = 300;
export const inPartMax = 899;
const annulledShare = 0.6;
/** The share that counts of a name that is not the whole question, by its legal forms. */
const formShares: Readonly<Record<FormDifference, number>> = {
  none: 1,
  notAsked: 0.98,
  surplus: 0.98,
  related: 0.9,
  missing: 0.81,
  other: 0.79,
};
/**
 * The same of a name that has all words of the question, mistyped or in another order, and no others: the least share of
 * their order, and the share for a form that was not asked for. An inactive company keeps more than this share.
 */
const wholeInAnyOrder = { order: 0.5, notAsked: 0.99 } as const;
/** Relevance of a company by the share that counts of its name, which is not the whole question. */
function relevanceInPart(share: number): number {
  return inPartMin + (inPartMax - inPartMin) * share;
}

/**
 * Relevance of a company with the question's words and another form beside others.
 * @param relevance as if it were alone
 * @param namesakes how many there are, at most {@link namesakesCounted}; null if one of better rank comes before it
 */
export function asNamesake(relevance: number, namesakes: number | null): number {
  const share =
    namesakes === null ? furtherNamesakeShare : (otherFormShares[namesakes - 1] ?? otherFormShares[0]);
  return Math.floor(inPartMin + ((relevance - inPartMin) * share) / otherFormShares[0]);
}

/** The best relevance of companies whose names lack a legal form of the question: of any, and of most. */
export const formsDiffer = {
  best: relevanceMax - formLosses.related,
  usual: Math.floor(relevanceInPart(furtherNamesakeShare)),
} as const;
/** The same if the question has no legal form: most names have one. */
export const formsNotAsked = { best: relevanceMax, usual: relevanceMax - formLosses.notAsked } as const;

/**
 * Score in ten-thousandths. A duplicate has a tenth: below 1,000, which all others are above.
 * @param relevance 100 to 999
 */
export function scoreOfRelevance(relevance: number, grade: number): number {
  return grade === grades.duplicate ? relevance : relevance * 10 + grade;
}

/** Grade of a document. */
export function gradeOfDocument(shape: IndexShape, document: number): number {
  for (let grade = 0; grade < gradesMax; grade++) {
    if (document >= (shape.gradeStarts[gradesMax - 1 - grade] ?? 0)) return grade;
  }
  return gradesMax - 1;
}

export class DocumentScorer {
  private readonly match: NameMatch;
  private readonly parts: IndexParts;
  /** The current document: its row of names, the position of its next name, and its entity number. */
  private row: Uint8Array = new Uint8Array(0);
  private at = 0;
  private entity = 0;
  /** Of the name that was rated last; null for other names. */
  private namesake: Namesake | null = null;

  constructor(parts: IndexParts, plan: QueryPlan) {
    this.parts = parts;
    this.match = new NameMatch(parts, plan);
  }

  /** @param pinnedName index of the name that equals the question although its words are split differently; -1 for none */
  score(document: number, pinnedName: number): ScoredDocument {
    const grade = gradeOfDocument(this.parts.shape, document);
    const names = this.enter(document);
    let best = 0;
    let nameIndex = 0;
    let namesake: Namesake | null = null;
    let otherwise = 0;
    let otherwiseIndex = 0;
    for (let index = 0; index < names; index++) {
      const kind = this.readName();
      const relevance = this.relevance(kind, grade, index === pinnedName);
      const ofLegalName = kind === nameKinds.legal ? this.namesake : null;
      if (relevance > best) {
        best = relevance;
        nameIndex = index;
        namesake = ofLegalName;
      }
      if (relevance > otherwise && ofLegalName === null) {
        otherwise = relevance;
        otherwiseIndex = index;
      }
    }
    return { relevance: best, nameIndex, entity: this.entity, namesake, otherwise, otherwiseIndex };
  }

  /** Share of the question's weight that the document's best name has, 0 to 1. */
  matchedShare(document: number): number {
    let best = 0;
    for (let left = this.enter(document); left > 0; left--) {
      this.readName();
      best = Math.max(best, this.match.matchedShare());
    }
    return best;
  }

  /** True if a name of the document has that share of the question's weight, or is the whole question as meant. */
  fits(document: number, share: number): boolean {
    return this.someName(document, (match) => match.matchedShare() >= share || match.isWholeAsMeant());
  }

  /** Whether the legal name, which is the first, begins with the words of the question. */
  begins(document: number): boolean {
    if (this.enter(document) === 0) return false;
    this.readName();
    return this.match.begins();
  }

  /** True if a name of the document has every word of the question as meant. */
  hasEvery(document: number): boolean {
    return this.someName(document, (match) => match.hasEvery());
  }

  /** The same without the light words before the last one. */
  hasTelling(document: number): boolean {
    return this.someName(document, (match) => match.hasTelling());
  }

  /** True if that name of the document has the legal forms of the question and no others. */
  hasFormsAsTyped(document: number, name: number): boolean {
    this.enter(document);
    for (let index = 0; index <= name; index++) this.readName();
    return this.match.formDifference() === 'none';
  }

  /** The terms that names of the document have in the place of one word; see {@link NameMatch.termInPlace}. */
  termsInPlace(document: number): readonly number[] {
    const terms: number[] = [];
    for (let left = this.enter(document); left > 0; left--) {
      this.readName();
      const term = this.match.termInPlace();
      if (term !== null) terms.push(term);
    }
    return terms;
  }

  /** True if a name of the document is the question as meant, in any order, with no other legal form than the question's. */
  hasAsMeant(document: number): boolean {
    return this.someName(document, (match) => match.isAllAsMeant() && agree(match.formDifference()));
  }

  private someName(document: number, holds: (match: NameMatch) => boolean): boolean {
    for (let left = this.enter(document); left > 0; left--) {
      this.readName();
      if (holds(this.match)) return true;
    }
    return false;
  }

  /** Goes to the first name of a document. @returns how many it has */
  private enter(document: number): number {
    this.parts.timeLimit.smallStep();
    const row = rowOfNames(this.parts.tables, document);
    this.row = row;
    const start = placeInRow(row, document);
    this.entity = uint32At(row, start);
    this.at = start + 5;
    return row[start + 4] ?? 0;
  }

  /** Matches the next name. @returns its kind */
  private readName(): number {
    const { row, at } = this;
    const terms = row[at + 1] ?? 0;
    this.match.read(row, at + 2, terms);
    this.at = at + 2 + terms * 3;
    return row[at] ?? 0;
  }

  private relevance(kind: number, grade: number, pinned: boolean): number {
    const { match } = this;
    const matched = match.matchedShare();
    const order = match.orderShare();
    const asTyped = isAll(matched) && order === 1 && match.sameLength();
    const forms = match.formDifference();
    const isWhole = pinned || asTyped;
    const formLoss = isWhole ? formLosses[forms] : null;
    this.namesake = isWhole && (forms === 'other' || forms === 'missing') ? forms : null;
    let relevance =
      formLoss === null
        ? relevanceInPart(this.shareInPart(kind, matched, order, forms) * gradeShare(grade))
        : equalName(kind, grade, formLoss) - (asTyped ? 0 : equal.joinedOtherwise);
    if (grade === grades.annulled) relevance = inPartMin + (relevance - inPartMin) * annulledShare;
    return Math.floor(relevance);
  }

  /** The share that counts of a name that is not the whole question. */
  private shareInPart(kind: number, matched: number, order: number, forms: FormDifference): number {
    const { match } = this;
    const { share, otherForm } = kindOf(kind);
    if (this.namesake !== null) return otherForm;
    const isWhole = match.isWholeInAnyOrder();
    const inOrder = isWhole ? Math.max(wholeInAnyOrder.order, order) : order;
    const begins = match.beginsWith || match.beginsWithForm ? 0.025 : 0;
    const words = 0.715 + 0.17 * match.coveredShare() + 0.09 * inOrder + begins;
    const form = isWhole && forms === 'notAsked' ? wholeInAnyOrder.notAsked : formShares[forms];
    return (isWhole && agree(forms) ? matched : matched * matched) * words * form * share;
  }
}

/** Whether a name has the legal forms of the question, or the question none. */
function agree(forms: FormDifference): boolean {
  return forms === 'none' || forms === 'notAsked';
}

/** Whether a share is 1 but for the rounding of sums. */
function isAll(share: number): boolean {
  return share > 0.9999;
}

function kindOf(kind: number): NameKind {
  return kinds[kind] ?? previousName;
}

function equalName(kind: number, grade: number, formLoss: number): number {
  let relevance = relevanceMax - kindOf(kind).loss - formLoss;
  if (grade <= grades.inactive) relevance -= equal.inactive;
  else if (grade < grades.live) relevance -= equal.notLive;
  return relevance;
}

function gradeShare(grade: number): number {
  if (grade >= grades.live) return 1;
  return grade <= grades.inactive ? 0.992 : 0.996;
}
