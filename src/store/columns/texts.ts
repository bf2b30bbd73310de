/** Folds the texts that lists filter and order by, and makes their codes: hashes, and parts of their beginnings. */
import { hashText } from '../../bytes/hash.ts';
import type { FoldedField, OrderText } from '../../lei/list-fields.ts';
import { foldedCharacters, foldedWords } from '../../lei/names/fold.ts';
import type { Glimpse } from '../../lmdb.ts';
import { addressField, leiLength, slotOf } from '../company-fields.ts';
import { fieldEndFrom, fieldFrom, slotEndFrom, valueAt } from '../packed-json.ts';
import type { KeyName } from './layout.ts';
import { smallLetter } from './plain-text.ts';

/** A text of a company by which lists are filtered or ordered. */
type ListText = FoldedField | OrderText | 'lei';

/** A slot, or a field within a slot. */
interface FoldedPlace {
  readonly slot: number;
  readonly field: number;
}

const legalAddress = slotOf('entity.legalAddress');
/** Where the texts stand in a stored record. */
export const placesOfTexts: Readonly<Record<Exclude<ListText, 'lei'>, FoldedPlace>> = {
  name: { slot: slotOf('entity.legalName.name'), field: 0 },
  city: { slot: legalAddress, field: addressField.city },
  postalCode: { slot: legalAddress, field: addressField.postalCode },
  registeredAs: { slot: slotOf('entity.registeredAs'), field: 0 },
};

/** A text as it was published; null for none. @param bytes its first `length` are a stored record */
function textAt(of: ListText, bytes: Buffer, length: number): string | null {
  if (of === 'lei') return bytes.toString('latin1', 0, leiLength);
  const { slot, field } = placesOfTexts[of];
  let from = 0;
  for (let before = 0; before < slot; before++) from = Math.min(slotEndFrom(bytes, from, length) + 1, length);
  const to = slotEndFrom(bytes, from, length);
  const at = fieldFrom(bytes, from, to, field);
  return valueAt(bytes, at, fieldEndFrom(bytes, at, to));
}

/** Reads the texts of entities; '' for none. */
export interface EntityTexts {
  published(entity: number, of: ListText): string;
  /** As lists are ordered by it. */
  ordered(entity: number, of: OrderText | 'lei'): string;
}

/** @param companies reads the stored record of an entity */
export function textsOf(companies: { record(entity: number): Glimpse | null }): EntityTexts {
  const published = (entity: number, of: ListText) => {
    const stored = companies.record(entity);
    return stored === null ? '' : (textAt(of, stored.bytes, stored.length) ?? '');
  };
  return {
    published,
    ordered: (entity, of) => (of === 'lei' ? published(entity, of) : ordered(published(entity, of))),
  };
}

/**
 * A text as it is compared: cities word by word as a search compares names, codes and numbers without what stands
 * between letters and digits. A text without letters and digits is taken as it is.
 */
export function folded(of: FoldedField, text: string): string {
  return foldedWords(text).join(isSpaced(of) ? ' ' : '') || text;
}

/** Whether a space stands between the words of a folded text. */
export function isSpaced(of: FoldedField): boolean {
  return of === 'city';
}

/** The code of a folded text; 0 for ''. */
export function hashCode(text: string): number {
  return text === '' ? 0 : codeOfHash(hashText(text, 0));
}

/** The code of a text with a hash, which is not ''. */
export function codeOfHash(hash: number): number {
  return hash || 1;
}

/** A text as it is ordered, without regard to case and accents: each character is a byte of its UTF-8. */
export function ordered(text: string): string {
  return orderedBytes(text).toString('latin1');
}

export function orderedBytes(text: string): Buffer {
  return Buffer.from(foldedCharacters(text));
}

/** The bytes of an ordered text that a key is made of. */
export const placesOfKeys: Readonly<Record<KeyName, { of: 'lei' | OrderText; from: number; to: number }>> = {
  leiFirst: { of: 'lei', from: 0, to: 3 },
  leiSecond: { of: 'lei', from: 3, to: 9 },
  nameFirst: { of: 'name', from: 0, to: 4 },
  nameSecond: { of: 'name', from: 4, to: 8 },
  cityFirst: { of: 'city', from: 0, to: 4 },
};

/** The code of a part of an LEI, whose characters are digits of base 36. */
export function codeOfLei(lei: Uint8Array, from: number, to: number): number {
  let code = 0;
  for (let at = from; at < to; at++) {
    const byte = lei[at] ?? 0;
    code = code * 36 + byte - (byte < capitalA ? zero : capitalA - 10);
  }
  return code;
}
const [zero, capitalA] = [0x30, 0x41];

/** The code of a part of a text whose characters are bytes; behind its end at `end` stand zeros. */
export function codeOfText(bytes: Uint8Array, from: number, to: number, end: number): number {
  let code = 0;
  for (let at = from; at < to; at++) code = code * 256 + (at < end ? smallLetter(bytes[at] ?? 0) : 0);
  return code;
}
