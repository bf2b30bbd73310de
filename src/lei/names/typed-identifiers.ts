/** Recognises identifiers that people type or paste in place of a name. */
import { isBic, isLei } from '../identifiers.ts';
import { identifierKey } from './name-terms.ts';

/**
 * Keys of the identifiers that a question may be or contain: the whole question as an LEI, a registration number or a
 * BIC, with spaces and hyphens anywhere; the same after "LEI:" or "BIC:", as documents print them; and every LEI in it.
 */
export function typedIdentifiers(text: string): ReadonlySet<string> {
  const keys = new Set<string>();
  const upper = text.normalize('NFKC').toUpperCase();
  const whole = identifierKey(text) || bicKey(upper);
  if (whole !== '') keys.add(whole);
  for (const [lei] of upper.matchAll(leiShape)) if (isLei(lei)) keys.add(identifierKey(lei));
  const labelled = label.exec(upper);
  if (labelled !== null) addLabelled(keys, upper.slice(labelled[0].length));
  return keys;
}

/** The LEI that a text is, with spaces or hyphens anywhere, in any case, after "LEI:" or not; null for none. */
export function readTypedLei(text: string): string | null {
  const upper = text.normalize('NFKC').toUpperCase();
  const lei = upper
    .slice(label.exec(upper)?.[0].length ?? 0)
    .replace(separators, '')
    .trim();
  return isLei(lei) ? lei : null;
}

const leiShape = /(?<![A-Z0-9])[A-Z0-9]{18}[0-9]{2}(?![A-Z0-9])/g;
const label = /^\s*(?:LEI|BIC|SWIFT)(?:[\s/-]*(?:BIC|SWIFT|CODE|NO|NUMBER))?[\s:.#-]+/;

/** The text after a label counts only as that kind: "LEI Holdings 2020" is a name. */
function addLabelled(keys: Set<string>, upper: string): void {
  const text = upper.replace(separators, '');
  if (isLei(text)) keys.add(identifierKey(text));
  else if (isBic(text)) keys.add(identifierKey(text) || text);
}

const separators = /[\s.-]+/g;

/** A BIC may have no digit. */
function bicKey(upper: string): string {
  const text = upper.replace(separators, '');
  return isBic(text) ? text : '';
}
