/**
 * The score of a company for a question, 0 to 1 with four decimals. The first three say how well its best name
 * answers, the fourth is its grade of rank (ranks.ts), so that companies with equal scores are in order of LEI.
 *
 *     0.9 – 1      the question is the whole name (folded, legal form aside), or an identifier (1)
 *     0.3 – 0.9    0.3 + 0.6 × found² × (0.52 + 0.33 × covered + 0.1 × order + 0.05 × begins)
 *     below 0.3    further hits of a very common question, scored from less
 *
 * `found` is the share of the question's weight that the name has, each word by its certainty; `covered` the share
 * of the name's weight that the question has; `order` the share of neighbouring words that follow each other in the
 * name too; `begins` 1 where the name begins with a word of the question. A word weighs by its rarity; legal forms weigh
 * nothing here, but the right one breaks a tie. Taken off: for an other or previous name, for a registration that
 * is not live; a duplicate or annulled record keeps 0.6 of its score.
 */
import { connector } from '../../lei/names/fold.ts';
import { type IndexShape, nameKinds, namesPerChunk, type SearchTables } from './format.ts';
import { grades, gradesMax } from './ranks.ts';
import { certainty, type Filling, type Plan, wholeWord } from './slots.ts';

export interface Scored {
  /** 0 to 999. */
  readonly relevance: number;
  readonly nameIndex: number;
}

export interface DocumentScorer {
  /** @param pinnedName name that is known to equal the question although their words are cut otherwise; -1 for none */
  score(document: number, pinnedName: number): Scored;
  /** Share of the question's weight that the document's best name has. */
  found(document: number): number;
}

/** By kind of name. */
const kindShare: Readonly<Record<number, number>> = {
  [nameKinds.legal]: 1,
  [nameKinds.other]: 0.965,
  [nameKinds.previous]: 0.95,
};
const kindLoss: Readonly<Record<number, number>> = {
  [nameKinds.legal]: 0,
  [nameKinds.other]: 20,
  [nameKinds.previous]: 30,
};
export const equalRelevance = 900;
export const scoredRelevanceMin = 300;
const equal = { whole: 999, formsDiffer: 15, joinedOtherwise: 10, notLive: 12, inactive: 30 } as const;
const voidShare = 0.6;

/** Grade of a document: stored as where each grade begins. */
export function gradeOfDocument(shape: IndexShape, document: number): number {
  for (let grade = 0; grade < gradesMax; grade++) {
    if (document >= (shape.gradeStarts[gradesMax - 1 - grade] ?? 0)) return grade;
  }
  return gradesMax - 1;
}

/** What was found in one name, reused from name to name. */
class Findings {
  readonly certainties = new Float64Array(64);
  readonly places = new Int16Array(64);
  readonly halves = new Uint8Array(256);
  nameWeight = 0;
  coveredWeight = 0;
  /** Core terms, connectors aside, and how many of them the question has as typed. */
  coreTerms = 0;
  typedTerms = 0;
  forms = 0;
  formsFound = 0;
  beginsWith = false;

  clear(slots: number, pairs: number): void {
    this.certainties.fill(0, 0, slots);
    this.places.fill(-2, 0, slots);
    this.halves.fill(0, 0, pairs);
    this.nameWeight = 0;
    this.coveredWeight = 0;
    this.coreTerms = 0;
    this.typedTerms = 0;
    this.forms = 0;
    this.formsFound = 0;
    this.beginsWith = false;
  }
}

export interface ScorerParts {
  readonly tables: SearchTables;
  readonly shape: IndexShape;
  readonly weights: Uint8Array;
  /** Id of the connector's term; -1 where no name has it. */
  readonly connectorId: number;
}

export function createScorer(parts: ScorerParts, plan: Plan): DocumentScorer {
  return new Scorer(parts, plan);
}

const filterMask = 0x3ff;

class Scorer implements DocumentScorer {
  private readonly findings = new Findings();
  private readonly questionWeight: number;
  /** Connectors aside. */
  private readonly questionTerms: number;
  /** By the last bits of a term's id: most terms of most names fill nothing, and need not be looked up to know it. */
  private readonly maybeFills = new Uint8Array(filterMask + 1);
  private readonly parts: ScorerParts;
  private readonly plan: Plan;

  constructor(parts: ScorerParts, plan: Plan) {
    this.parts = parts;
    this.plan = plan;
    this.questionWeight = plan.slots.reduce((sum, slot) => sum + slot.weight, 0);
    this.questionTerms = plan.slots.filter(({ text }) => text !== connector).length + plan.repeated;
    for (const id of plan.fillings.keys()) this.maybeFills[id & filterMask] = 1;
  }

  score(document: number, pinnedName: number): Scored {
    const grade = gradeOfDocument(this.parts.shape, document);
    let best = 0;
    let nameIndex = 0;
    this.eachName(document, (index, kind) => {
      const relevance = this.relevance(kind, grade, index === pinnedName);
      if (relevance > best) {
        best = relevance;
        nameIndex = index;
      }
    });
    return { relevance: best, nameIndex };
  }

  found(document: number): number {
    let best = 0;
    this.eachName(document, () => {
      best = Math.max(best, this.foundShare());
    });
    return best;
  }

  /** Reads the names of a document one after the other into the findings. */
  private eachName(document: number, visit: (index: number, kind: number) => void): void {
    const row = this.parts.tables.names.getBinaryFast(Math.floor(document / namesPerChunk));
    if (row === undefined) return;
    let at = row.readUInt32LE((document % namesPerChunk) * 4);
    const names = row[at++] ?? 0;
    for (let index = 0; index < names; index++) {
      const kind = row[at] ?? 0;
      const terms = row[at + 1] ?? 0;
      at += 2;
      this.readName(row, at, terms);
      at += terms * 3;
      visit(index, kind);
    }
  }

  private readName(row: Buffer, from: number, terms: number): void {
    const { findings, plan } = this;
    const { formsFrom, formsTo } = this.parts.shape;
    findings.clear(plan.slots.length, plan.pairs);
    let place = 0;
    for (let at = from; at < from + terms * 3; at += 3) {
      const id = (row[at] ?? 0) | ((row[at + 1] ?? 0) << 8) | ((row[at + 2] ?? 0) << 16);
      if (id >= formsFrom && id < formsTo) this.readForm(id);
      else this.readCoreTerm(id, place++);
    }
  }

  private readForm(id: number): void {
    this.findings.forms++;
    if (this.plan.forms.has(id)) this.findings.formsFound++;
    this.fillSlots(id, -2);
  }

  private readCoreTerm(id: number, place: number): void {
    const { findings } = this;
    const sure = this.fillSlots(id, place);
    const weight = this.parts.weights[id] ?? 0;
    findings.nameWeight += weight;
    findings.coveredWeight += weight * sure;
    if (id === this.parts.connectorId) return;
    findings.coreTerms++;
    if (sure === 1) findings.typedTerms++;
    if (place === 0 && sure > 0) findings.beginsWith = true;
  }

  /** @returns how sure the term was meant by the question; 0 where it was not */
  private fillSlots(id: number, place: number): number {
    const fillings = this.plan.fillings.get(id);
    let best = 0;
    if (fillings !== undefined)
      for (const filling of fillings) best = Math.max(best, this.fillSlot(filling, place));
    const { begun } = this.plan;
    if (begun !== null && best < certainty.begun && id >= begun.from && id < begun.to) {
      best = Math.max(
        best,
        this.fillSlot({ ...wholeWord, slot: begun.slot, certainty: certainty.begun }, place),
      );
    }
    return best;
  }

  private fillSlot({ slot, certainty: sure, pair, half }: Filling, place: number): number {
    const { findings } = this;
    if (pair >= 0) {
      const halves = (findings.halves[pair] ?? 0) | (1 << half);
      findings.halves[pair] = halves;
      if (halves !== 3) return sure;
    }
    if (sure > (findings.certainties[slot] ?? 0)) {
      findings.certainties[slot] = sure;
      findings.places[slot] = place;
    }
    return sure;
  }

  private foundShare(): number {
    const { findings, plan } = this;
    let found = 0;
    for (let i = 0; i < plan.slots.length; i++) {
      found += (plan.slots[i]?.weight ?? 0) * (findings.certainties[i] ?? 0);
    }
    return this.questionWeight === 0 ? 0 : found / this.questionWeight;
  }

  private relevance(kind: number, grade: number, pinned: boolean): number {
    const { findings } = this;
    const found = this.foundShare();
    const order = this.orderShare();
    let relevance: number;
    const asTyped = found > 0.9999 && order === 1 && this.sameLength();
    if (pinned || asTyped) {
      relevance = equalName(kind, grade, asTyped, this.formsAgree());
    } else {
      const covered =
        findings.nameWeight === 0 ? 0 : Math.min(1, findings.coveredWeight / findings.nameWeight);
      const share = found * found * (0.52 + 0.33 * covered + 0.1 * order + (findings.beginsWith ? 0.05 : 0));
      const forms = this.formsAgree() ? 1 : 0.985;
      relevance = scoredRelevanceMin + 599 * share * forms * (kindShare[kind] ?? 0.95) * gradeShare(grade);
    }
    return Math.floor(grade === grades.void ? relevance * voidShare : relevance);
  }

  /** The name has no core term but those of the question, as typed. */
  private sameLength(): boolean {
    const { coreTerms, typedTerms } = this.findings;
    return coreTerms > 0 && typedTerms === coreTerms && coreTerms === this.questionTerms;
  }

  /** The question names no legal form, or those that the name has. */
  private formsAgree(): boolean {
    const { forms } = this.plan;
    return (
      forms.size === 0 || (this.findings.formsFound === forms.size && this.findings.forms === forms.size)
    );
  }

  /** Share of neighbouring slots whose terms are neighbours in the name, in the same order. */
  private orderShare(): number {
    const slots = this.plan.slots.length;
    if (slots < 2) return 1;
    const { places } = this.findings;
    let inOrder = 0;
    for (let i = 1; i < slots; i++) {
      const step = (places[i] ?? -2) - (places[i - 1] ?? -2);
      if ((places[i] ?? -2) < 0 || (places[i - 1] ?? -2) < 0) continue;
      // 0: one term fills both, two words typed for one.
      if (step === 1 || step === 0) inOrder += 1;
      else if (step > 1) inOrder += 0.5;
    }
    return inOrder / (slots - 1);
  }
}

function equalName(kind: number, grade: number, asTyped: boolean, formsAgree: boolean): number {
  let relevance: number = equal.whole - (kindLoss[kind] ?? 30);
  if (!formsAgree) relevance -= equal.formsDiffer;
  if (!asTyped) relevance -= equal.joinedOtherwise;
  if (grade <= grades.inactive) relevance -= equal.inactive;
  else if (grade < grades.live) relevance -= equal.notLive;
  return relevance;
}

function gradeShare(grade: number): number {
  if (grade >= grades.live) return 1;
  return grade <= grades.inactive ? 0.955 : 0.985;
}
