/** Reads the few fields of a company that other answers show. It unpacks only the requested slots. */
import { type JsonBytes, piece } from '../protocol/json-bytes.ts';
import { addressField, isRecord, slotCount, slotOf } from './company-fields.ts';
import { fieldEndFrom, fieldFrom, putValue, rowEndFrom, slotEndFrom, valueAt } from './packed-json.ts';
import type { EntitySummary, SummaryField } from './publication-reader.ts';

/** Position of a field: a slot, or a field within a slot. */
interface FieldPosition {
  readonly slot: number;
  readonly field: number | null;
}

const legalName = slotOf('entity.legalName.name');
const legalAddress = slotOf('entity.legalAddress');
const nameLists = [slotOf('entity.otherNames'), slotOf('entity.transliteratedOtherNames')];
const whole = (slot: number): FieldPosition => ({ slot, field: null });
const places: Readonly<Record<SummaryField, FieldPosition>> = {
  lei: whole(slotOf('lei')),
  name: whole(legalName),
  country: { slot: legalAddress, field: addressField.country },
  jurisdiction: whole(slotOf('entity.jurisdiction')),
  city: { slot: legalAddress, field: addressField.city },
  entityStatus: whole(slotOf('entity.status')),
  registrationStatus: whole(slotOf('registration.status')),
  lastUpdateDate: whole(slotOf('registration.lastUpdateDate')),
  initialRegistrationDate: whole(slotOf('registration.initialRegistrationDate')),
};

const namePiece = piece('{"name":');
const legalTypePiece = piece(',"type":"LEGAL_NAME"}');
const typePiece = piece(',"type":');
const closingBrace = 0x7d;

export class CompanySummary implements EntitySummary {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  /** Start of each slot, up to the last requested one. */
  readonly #starts = new Int32Array(slotCount + 1);
  #lastKnown = 0;

  /**
   * Shows another company.
   * @param bytes its first `length` are a stored record, or an LEI alone
   */
  show(bytes: Buffer, length: number): this {
    this.#bytes = bytes;
    this.#length = length;
    this.#lastKnown = 0;
    return this;
  }

  get lei(): string {
    return this.#valueOf('lei') ?? '';
  }

  get name(): string | null {
    return this.#valueOf('name');
  }

  put(out: JsonBytes, field: SummaryField): void {
    const from = this.#startOf(places[field]);
    putValue(out, this.#bytes, from, this.#endOf(places[field], from));
  }

  putName(out: JsonBytes, number: number): void {
    if (!isRecord({ length: this.#length })) throw new Error(`${this.lei} has no record and no names.`);
    const row = number === 0 ? null : this.#rowOfName(number);
    out.put(namePiece);
    if (row === null) {
      putValue(out, this.#bytes, this.#start(legalName), this.#stop(legalName));
      out.put(legalTypePiece);
    } else {
      this.#putNameAndType(out, row);
    }
  }

  /** Start of the row of a name other than the legal name; null if there is no such name. */
  #rowOfName(number: number): number | null {
    let left = number;
    for (const list of nameLists) {
      const to = this.#stop(list);
      for (let row = this.#start(list); row < to; row = rowEndFrom(this.#bytes, row, to) + 1) {
        left--;
        if (left === 0) return row;
      }
    }
    return null;
  }

  /** A row consists of a name, its language and its type. */
  #putNameAndType(out: JsonBytes, row: number): void {
    const bytes = this.#bytes;
    const rowEnd = rowEndFrom(bytes, row, slotEndFrom(bytes, row, this.#length));
    const nameEnd = fieldEndFrom(bytes, row, rowEnd);
    const languageEnd = fieldEndFrom(bytes, nameEnd + 1, rowEnd);
    putValue(out, bytes, row, nameEnd);
    out.put(typePiece);
    putValue(out, bytes, languageEnd + 1, rowEnd);
    out.byte(closingBrace);
  }

  #valueOf(field: SummaryField): string | null {
    const from = this.#startOf(places[field]);
    return valueAt(this.#bytes, from, this.#endOf(places[field], from));
  }

  #startOf({ slot, field }: FieldPosition): number {
    return fieldFrom(this.#bytes, this.#start(slot), this.#stop(slot), field ?? 0);
  }

  #endOf(place: FieldPosition, from: number): number {
    const to = this.#stop(place.slot);
    return place.field === null ? to : fieldEndFrom(this.#bytes, from, to);
  }

  /** Start of a slot. An LEI without a record has empty slots. */
  #start(index: number): number {
    return Math.min(this.#startAt(index), this.#length);
  }

  /** One past the last byte of a slot. */
  #stop(index: number): number {
    return this.#startAt(index + 1) - 1;
  }

  #startAt(index: number): number {
    const starts = this.#starts;
    for (; this.#lastKnown < index; this.#lastKnown++) {
      const end = slotEndFrom(this.#bytes, starts[this.#lastKnown] ?? 0, this.#length);
      starts[this.#lastKnown + 1] = Math.min(end, this.#length) + 1;
    }
    return starts[index] ?? 0;
  }
}
