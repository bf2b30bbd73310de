/** Folds the texts that lists filter and order by, and makes their codes: hashes, and parts of their beginnings. */
import { hashText } from '../../bytes/hash.ts';
import type { FoldedField, OrderText } from '../../lei/list-fields.ts';
import { foldedCharacters, foldedWords } from '../../lei/names/fold.ts';
import { addressField, slotOf } from '../company-fields.ts';
import { leiLength } from '../company-record.ts';
import { fieldEndFrom, slotEndFrom, valueAt } from '../packed-json.ts';
import type { KeyName } from './layout.ts';

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

/** A text as it is stored; null for none. @param bytes its first `length` are a stored record */
export function textAt(of: ListText, bytes: Buffer, length: number): string | null {
  if (of === 'lei') return bytes.toString('latin1', 0, leiLength);
  const { slot, field } = placesOfTexts[of];
  let from = 0;
  for (let before = 0; before < slot; before++) from = Math.min(slotEndFrom(bytes, from, length) + 1, length);
  const to = slotEndFrom(bytes, from, length);
  for (let before = 0; before < field; before++) from = Math.min(fieldEndFrom(bytes, from, to) + 1, to);
  return valueAt(bytes, from, fieldEndFrom(bytes, from, to));
}

/**
 * A text as it is compared: cities word by word as a search compares names, codes and numbers without what stands
 * between letters and digits. A text without letters and digits is taken as it is.
 */
export function folded(of: FoldedField, text: string): string {
  return foldedWords(text).join(of === 'city' ? ' ' : '') || text;
}

/** The code of a folded text; 0 for ''. */
export function hashCode(text: string): number {
  return text === '' ? 0 : hashText(text, 0) || 1;
}

/** A text as it is ordered, without regard to case and accents: each character is a byte of its UTF-8. */
export function ordered(text: string): string {
  return Buffer.from(foldedCharacters(text)).toString('latin1');
}

/** Four bytes of an ordered text as a number; zeros behind its end. */
function bytesAt(text: string, from: number): number {
  let code = 0;
  for (let at = from; at < from + 4; at++) code = code * 256 + (at < text.length ? text.charCodeAt(at) : 0);
  return code;
}

/** Makes the code of each key from the text as it is ordered. */
export const keyCodes: Readonly<Record<KeyName, (text: string) => number>> = {
  leiFirst: (lei) => Number.parseInt(lei.slice(0, 3), 36),
  leiSecond: (lei) => Number.parseInt(lei.slice(3, 9), 36),
  nameFirst: (name) => bytesAt(name, 0),
  nameSecond: (name) => bytesAt(name, 4),
  cityFirst: (city) => bytesAt(city, 0),
};
/** Which text a key is made of. */
export const textOfKey: Readonly<Record<KeyName, 'lei' | OrderText>> = {
  leiFirst: 'lei',
  leiSecond: 'lei',
  nameFirst: 'name',
  nameSecond: 'name',
  cityFirst: 'city',
};
