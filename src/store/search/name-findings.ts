/** What one name of a company has of a question: its terms are read and fill the question's slots. */

import { uint24At } from '../../bytes/numbers-in-bytes.ts';
import { connector } from '../../lei/names/fold.ts';
import { certainty } from './certainty.ts';
import type { IndexShape, SearchTables } from './format.ts';
import type { Filling, Plan } from './slots.ts';

export interface ScorerParts {
  readonly tables: SearchTables;
  readonly shape: IndexShape;
  readonly weights: Uint8Array;
  /** Id of the connector's term; -1 where no name has it. */
  readonly connectorId: number;
}

const filterMask = 0x3ff;
/** Place of what is not in the core, or not in the name. */
const nowhere = -2;

/** Reused from name to name: a question looks at thousands. */
export class NameFindings {
  private readonly certainties = new Float64Array(64);
  private readonly places = new Int16Array(64);
  private readonly halves = new Uint8Array(256);
  private nameWeight = 0;
  private coveredWeight = 0;
  /** Core terms, connectors aside, and how many of them the question has as typed. */
  private coreTerms = 0;
  private typedTerms = 0;
  private forms = 0;
  private formsFound = 0;
  beginsWith = false;

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

  private clear(): void {
    const { slots, pairs } = this.plan;
    for (let slot = 0; slot < slots.length; slot++) {
      this.certainties[slot] = 0;
      this.places[slot] = nowhere;
    }
    for (let pair = 0; pair < pairs; pair++) this.halves[pair] = 0;
    this.nameWeight = 0;
    this.coveredWeight = 0;
    this.coreTerms = 0;
    this.typedTerms = 0;
    this.forms = 0;
    this.formsFound = 0;
    this.beginsWith = false;
  }

  /** Reads one name's terms from a row of names. */
  read(row: Uint8Array, from: number, terms: number): void {
    const { formsFrom, formsTo } = this.parts.shape;
    this.clear();
    let place = 0;
    for (let at = from; at < from + terms * 3; at += 3) {
      const id = uint24At(row, at);
      if (id >= formsFrom && id < formsTo) this.readForm(id);
      else this.readCoreTerm(id, place++);
    }
  }

  private readForm(id: number): void {
    this.forms++;
    if (this.plan.forms.has(id)) this.formsFound++;
    this.fillSlots(id, nowhere);
  }

  private readCoreTerm(id: number, place: number): void {
    const sure = this.fillSlots(id, place);
    const weight = this.parts.weights[id] ?? 0;
    this.nameWeight += weight;
    this.coveredWeight += weight * sure;
    if (id === this.parts.connectorId) return;
    this.coreTerms++;
    if (sure === 1) this.typedTerms++;
    if (place === 0 && sure > 0) this.beginsWith = true;
  }

  /** @returns how sure the term was meant by the question; 0 where it was not */
  private fillSlots(id: number, place: number): number {
    const fillings = this.maybeFills[id & filterMask] === 0 ? undefined : this.plan.fillings.get(id);
    let best = 0;
    if (fillings !== undefined)
      for (const filling of fillings) best = Math.max(best, this.fillSlot(filling, place));
    const { begun } = this.plan;
    if (begun !== null && best < certainty.begun && id >= begun.from && id < begun.to) {
      best = Math.max(best, this.fillSlot(begun.filling, place));
    }
    return best;
  }

  private fillSlot({ slot, certainty: sure, pair, half }: Filling, place: number): number {
    if (pair >= 0) {
      const halves = (this.halves[pair] ?? 0) | (1 << half);
      this.halves[pair] = halves;
      if (halves !== 3) return sure;
    }
    if (sure > (this.certainties[slot] ?? 0)) {
      this.certainties[slot] = sure;
      this.places[slot] = place;
    }
    return sure;
  }

  /** Share of the question's weight that the name has, each word by its certainty. */
  foundShare(): number {
    const { plan } = this;
    let found = 0;
    for (let i = 0; i < plan.slots.length; i++) {
      found += (plan.slots[i]?.weight ?? 0) * (this.certainties[i] ?? 0);
    }
    return this.questionWeight === 0 ? 0 : found / this.questionWeight;
  }

  /** Share of the name's weight that the question has. */
  coveredShare(): number {
    return this.nameWeight === 0 ? 0 : Math.min(1, this.coveredWeight / this.nameWeight);
  }

  /** The name has no core term but those of the question, as typed; or both are the same legal forms alone. */
  sameLength(): boolean {
    const { coreTerms, typedTerms, formsFound } = this;
    if (coreTerms === 0) return formsFound === this.questionTerms && this.formsAgree();
    return typedTerms === coreTerms && coreTerms === this.questionTerms;
  }

  /** The question names no legal form, or those that the name has. */
  formsAgree(): boolean {
    const { forms } = this.plan;
    return forms.size === 0 || (this.formsFound === forms.size && this.forms === forms.size);
  }

  /** Share of neighbouring slots whose terms are neighbours in the name, in the same order. */
  orderShare(): number {
    const slots = this.plan.slots.length;
    if (slots < 2) return 1;
    const { places } = this;
    let inOrder = 0;
    for (let i = 1; i < slots; i++) {
      const step = (places[i] ?? nowhere) - (places[i - 1] ?? nowhere);
      if ((places[i] ?? nowhere) < 0 || (places[i - 1] ?? nowhere) < 0) continue;
      // 0: one term fills both, two words typed for one.
      if (step === 1 || step === 0) inOrder += 1;
      else if (step > 1) inOrder += 0.5;
    }
    return inOrder / (slots - 1);
  }
}
