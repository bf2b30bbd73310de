/**
 * Decodes HTML entities in names that were copied from the source of a page or escaped once too often:
 * "L&#39;Or&eacute;al". Some are published like that.
 */

const numbered = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi;
/** Letters with a mark, which folding reduces to the letter anyway. */
const marked = /&([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|caron|slash);/gi;
const named: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  lsquo: "'",
  rsquo: "'",
  szlig: 'ß',
  aelig: 'æ',
  oelig: 'œ',
  shy: '',
};
const byName = new RegExp(`&(${Object.keys(named).join('|')});`, 'gi');
const setApart = /&(?:nbsp|quot|lt|gt|[lr]dquo|[lr]aquo|ndash|mdash|trade|reg|copy);/gi;

/** The text with its entities decoded. */
export function withoutEntities(text: string): string {
  if (!text.includes('&') || !text.includes(';')) return text;
  return text
    .replace(byName, (entity, name: string) => named[name.toLowerCase()] ?? entity)
    .replace(setApart, ' ')
    .replace(marked, '$1')
    .replace(numbered, (entity, hex: string | undefined, decimal: string | undefined) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return isCharacter(code) ? String.fromCodePoint(code) : entity;
    });
}

/** A code point of Unicode, and not half of one. */
function isCharacter(code: number): boolean {
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
}
