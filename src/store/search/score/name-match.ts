/** Matches one name of a company with a question: reads the name's terms and records which words mean them. */
import { uint24At } from '../../../bytes/numbers-in-bytes.ts';
import { connector } from '../../../lei/names/fold.ts';
import { isForm } from '../../../lei/names/name-terms.ts';
import { certainty, searchLimits } from '../limits.ts';
import type { IndexParts } from '../parts.ts';
import { type Meaning, type QueryPlan, weightOfAll } from '../plan/query-plan.ts';

const filterMask = 0x3ff;
/** Position of a word that the name lacks or has only as a legal form. */
const nowhere = -2;

/**
 * How the legal forms of a name differ from those of the question: not at all; the question has none; the name has those of
 * the question and others; a form of one is a part of a form of the other; the name has none; or they are others.
 */
export type FormDifference = 'none' | 'notAsked' | 'surplus' | 'related' | 'missing' | 'other';

/** For each word: the certainty with which the name has it, and its position in the core. For one name at a time. */
const certainties = new Float64Array(64);
const positions = new Int16Array(64);
/** For each pair of halves: those that the name has, and the position of one of them. */
const halves = new Uint8Array(searchLimits.pairsMax);
const pairPositions = new Int16Array(searchLimits.pairsMax);

/** Reused for every name, because a question reads thousands of names. Valid until any other name is read. */
export class NameMatch {
  private readonly certainties = certainties;
  private readonly positions = positions;
  private readonly halves = halves;
  private readonly pairPositions = pairPositions;
  /** How many words, and halves of words, were found for the first time. */
  private noted = 0;
  private nameWeight = 0;
  private coveredWeight = 0;
  /** Core terms without connectors, and how many of them the question has as meant, and as typed. */
  private coreTerms = 0;
  private meantTerms = 0;
  private typedTerms = 0;
  /** The last core term that the question does not have as typed. */
  private otherTerm = 0;
  private forms = 0;
  /** The forms of the question that the name has: a bit each. */
  private formsSeen = 0;
  private formsMatched = 0;
  /** Forms of the question that the name has as words: "kreativ ab co" for Co Kreativ AB. */
  private formsInCore = 0;
  private formsRelated = 0;
  private formsMeant = 0;
  /** Whether the name begins with a word of the question. */
  beginsWith = false;
  /** Whether it begins with a legal form of the question, which is a word there: Co Kreativ AB. */
  beginsWithForm = false;

  /** Whether the question has only legal forms: "ks inc" is no part of the form of Ks GmbH. */
  private readonly onlyForms: boolean;
  private readonly questionWeight: number;
  /** Count of terms of the question, without connectors. */
  private readonly questionTerms: number;
  /** Whether any word may mean a term, by the last bits of its id. Most terms of most names then need no look-up. */
  private readonly maybeMeant = new Uint8Array(filterMask + 1);
  /** The forms of the question, the first thirty, by id. */
  private readonly formBits: ReadonlyMap<number, number>;
  private readonly parts: IndexParts;
  private readonly plan: QueryPlan;

  constructor(parts: IndexParts, plan: QueryPlan) {
    this.parts = parts;
    this.plan = plan;
    this.formBits = new Map([...plan.forms].slice(0, 30).map((id, at) => [id, 1 << at]));
    this.onlyForms = plan.words.every(({ text }) => isForm(text));
    this.questionWeight = weightOfAll(plan);
    this.questionTerms = plan.words.filter(({ text }) => text !== connector).length + plan.repeated;
    for (const id of plan.meanings.keys()) this.maybeMeant[id & filterMask] = 1;
  }

  private clear(): void {
    const { words, pairs } = this.plan;
    for (let word = 0; word < words.length; word++) {
      this.certainties[word] = 0;
      this.positions[word] = nowhere;
    }
    for (let pair = 0; pair < pairs; pair++) this.halves[pair] = 0;
    this.noted = 0;
    this.nameWeight = 0;
    this.coveredWeight = 0;
    this.coreTerms = 0;
    this.meantTerms = 0;
    this.typedTerms = 0;
    this.forms = 0;
    this.formsSeen = 0;
    this.formsMatched = 0;
    this.formsInCore = 0;
    this.formsRelated = 0;
    this.formsMeant = 0;
    this.beginsWith = false;
    this.beginsWithForm = false;
  }

  /** Reads the terms of one name. @param from where they begin in a row of names */
  read(row: Uint8Array, from: number, terms: number): void {
    const { formsFrom, formsTo } = this.parts.shape;
    this.clear();
    let position = 0;
    for (let at = from; at < from + terms * 3; at += 3) {
      const id = uint24At(row, at);
      if (id >= formsFrom && id < formsTo) this.readForm(id);
      else this.readCoreTerm(id, position++);
    }
    if (this.plan.begun?.isInOrder === true) this.dropBegunElsewhere();
  }

  /** See {@link QueryPlan.begun}. */
  private dropBegunElsewhere(): void {
    const last = this.plan.words.length - 1;
    if (this.certainties[last] === certainty.typed) return;
    const isInOrder = this.isInForm(last) ? this.isAllAsMeant() : this.begins();
    if (!isInOrder) this.certainties[last] = 0;
  }

  private readForm(id: number): void {
    const bit = this.formBits.get(id) ?? 0;
    const isRepeated = (this.formsSeen & bit) > 0;
    this.formsSeen |= bit;
    if (!isRepeated || !this.plan.repeatsForm) this.forms++;
    // "GmbH & Co. GmbH" has the form once: it is not GmbH & Co. KG.
    if (isRepeated) return;
    const meant = this.noteTerm(id, nowhere) > 0;
    // If the question has the rest of a related form as a word, that form was asked for.
    if (bit > 0) this.formsMatched++;
    else if (!this.plan.relatedForms.has(id)) this.formsMeant += Number(meant);
    else if (meant) this.formsMatched++;
    else this.formsRelated++;
  }

  private readCoreTerm(id: number, position: number): void {
    const known = this.noted;
    const sure = this.noteTerm(id, position);
    // A term that the name repeats counts half: the question has it once.
    const share = this.noted === known && this.plan.repeated === 0 ? sure / 2 : sure;
    const weight = this.parts.weights[id] ?? 0;
    const asForm = this.readAsForm(id);
    this.nameWeight += weight;
    this.coveredWeight += weight * Math.max(share, asForm);
    if (position === 0) this.beginsWithForm = asForm === certainty.typed;
    if (id === this.parts.connectorId) return;
    this.coreTerms++;
    if (sure < 1) this.otherTerm = id;
    else this.typedTerms++;
    if (sure === 0) return;
    this.meantTerms++;
    if (position === 0) this.beginsWith = true;
  }

  /** @returns the certainty that a form of the question stands for the word of the name */
  private readAsForm(id: number): number {
    if (!this.plan.relatedForms.has(id) && !this.isBegunByForm(id)) return 0;
    const isWhole = this.plan.formsAsWords.has(id);
    if (isWhole) this.formsInCore++;
    else if (!this.onlyForms) this.formsRelated++;
    return isWhole ? certainty.typed : certainty.partOfForm;
  }

  private isBegunByForm(id: number): boolean {
    const { begunByForm } = this.plan;
    return begunByForm !== null && id >= begunByForm.from && id < begunByForm.to;
  }

  /** @returns the greatest certainty with which a word means the term; 0 if none does */
  private noteTerm(id: number, position: number): number {
    const meanings = this.maybeMeant[id & filterMask] === 0 ? undefined : this.plan.meanings.get(id);
    const known = this.noted;
    let best = 0;
    if (meanings !== undefined)
      for (const meaning of meanings) best = Math.max(best, this.noteMeaning(meaning, position));
    const { begun } = this.plan;
    const isOther = best < certainty.begun || (begun?.repeats === true && this.noted === known);
    if (begun !== null && isOther && this.isBegun(id, begun)) {
      best = Math.max(best, this.noteMeaning(begun.meaning, position));
    }
    return best;
  }

  private isBegun(id: number, { from, to, prefix }: NonNullable<QueryPlan['begun']>): boolean {
    const { shape, terms } = this.parts;
    return id < shape.terms ? id >= from && id < to : terms.newBegins(id, prefix);
  }

  private noteMeaning({ word, certainty: sure, pair, half }: Meaning, position: number): number {
    if (pair >= 0) {
      const before = this.halves[pair] ?? 0;
      const halves = before | (1 << half);
      if (halves !== before) this.noted++;
      this.halves[pair] = halves;
      if (position !== nowhere) this.pairPositions[pair] = position;
      if (halves !== 3) return sure;
    }
    const certain = this.certainties[word] ?? 0;
    if (certain === 0) this.noted++;
    if (sure > certain) {
      this.certainties[word] = sure;
      // A legal form that was joined to a word has no position of its own.
      this.positions[word] =
        pair < 0 || position !== nowhere ? position : (this.pairPositions[pair] ?? nowhere);
    }
    return sure;
  }

  /** Share of the question's weight that the name has; each word counts by its certainty. */
  matchedShare(): number {
    const { plan } = this;
    let matched = 0;
    for (let i = 0; i < plan.words.length; i++) {
      matched += (plan.words[i]?.weight ?? 0) * (this.certainties[i] ?? 0);
    }
    return this.questionWeight === 0 ? 0 : matched / this.questionWeight;
  }

  /** Share of the name's weight that the question has. */
  coveredShare(): number {
    return this.nameWeight === 0 ? 0 : Math.min(1, this.coveredWeight / this.nameWeight);
  }

  /** The name's core terms are those of the question as typed; or both are nothing but the same legal forms. */
  sameLength(): boolean {
    const { coreTerms, typedTerms, formsMatched } = this;
    if (coreTerms === 0) return formsMatched === this.questionTerms && this.formDifference() === 'none';
    return typedTerms === coreTerms && coreTerms === this.questionTerms;
  }

  /** Whether the name's core has all words of the question as meant, in their order, and no others. */
  isWholeAsMeant(): boolean {
    return this.isAllAsMeant() && this.orderShare() === 1;
  }

  /** The same in any order. The name has at least as many words as the question, which may repeat one. */
  isWholeInAnyOrder(): boolean {
    return this.coreTerms >= this.questionTerms && this.isAllAsMeant();
  }

  /** True if the name's core has all words of the question as meant, and no others. */
  isAllAsMeant(): boolean {
    return this.meantTerms === this.coreTerms && this.coreTerms > 0 && this.hasEvery();
  }

  /**
   * The term in the place of one word, if the name has all others as typed, no further ones, and the legal forms of the
   * question; null else.
   */
  termInPlace(): number | null {
    const { coreTerms, typedTerms } = this;
    const isOne = coreTerms === this.questionTerms && typedTerms === coreTerms - 1;
    return isOne && this.formDifference() === 'none' ? this.otherTerm : null;
  }

  /** True if the name has every word of the question as meant. */
  hasEvery(): boolean {
    return this.plan.words.every((_, word) => (this.certainties[word] ?? 0) > 0);
  }

  /** The same without the light words before the last one. */
  hasTelling(): boolean {
    const last = this.plan.words.length - 1;
    return this.plan.words.every(({ light }, word) => {
      return (light && word < last) || (this.certainties[word] ?? 0) > 0;
    });
  }

  formDifference(): FormDifference {
    const { formsAsked: asked } = this.plan;
    const surplus = this.forms - this.formsMatched - this.formsMeant;
    const wanting = asked - this.formsMatched;
    if (wanting === 0 || (wanting > 0 && wanting <= this.formsInCore))
      return surplus === 0 ? 'none' : asked === 0 ? 'notAsked' : 'surplus';
    const strange = this.forms - this.formsMatched - this.formsMeant - this.formsRelated;
    if (this.formsMatched + this.formsInCore > 0 || (this.formsRelated > 0 && strange <= 0)) return 'related';
    return this.forms === 0 ? 'missing' : 'other';
  }

  /** Whether the name begins with the words of the question, in their order. */
  begins(): boolean {
    const isOneWord = this.plan.words.length === 1;
    return this.beginsWith && (isOneWord || (this.positions[0] === 0 && this.orderShare() === 1));
  }

  /**
   * Share of the question's neighbouring words that are neighbours in the name too, in the same order. Words that the name
   * has in its legal form have no place in it.
   */
  orderShare(): number {
    const words = this.plan.words.length;
    let neighbours = 0;
    let inOrder = 0;
    for (let i = 1; i < words; i++) {
      if (this.isInForm(i) || this.isInForm(i - 1)) continue;
      neighbours++;
      const [before, after] = [this.positions[i - 1] ?? nowhere, this.positions[i] ?? nowhere];
      if (before < 0 || after < 0) continue;
      // 0 if one term stands for both words.
      if (after === before || after === before + 1) inOrder += 1;
      else if (after > before) inOrder += 0.5;
    }
    return neighbours === 0 ? 1 : inOrder / neighbours;
  }

  private isInForm(word: number): boolean {
    return (this.certainties[word] ?? 0) > 0 && (this.positions[word] ?? nowhere) < 0;
  }
}
