/** Reads identifiers as people type or paste them. */
import { byKind, type MappingKind, mappingKinds, mappingTable } from './identifier-kinds.ts';
import { checkOpenCorporatesId, type IdentifierCheck } from './identifiers.ts';

const beforeOcid =
  /^\s*(?:(?:https?:\/\/)?(?:www\.)?opencorporates\.com\/companies\/|opencorporates[\s:#-]+)?/i;
const labels = byKind(mappingKinds, (kind) => new RegExp(`^\\s*${kind}[\\s:.#-]+`, 'i'));
const separators = /[\s.-]+/g;

/**
 * An identifier of a kind in a search text: the name of the kind may stand before it, and it may be in groups; an
 * OpenCorporates id may be an address.
 */
export function checkTyped(kind: MappingKind, text: string): IdentifierCheck {
  if (kind === 'ocid') return checkOpenCorporatesId(text.trimEnd().replace(beforeOcid, ''));
  return mappingTable[kind].check(text.replace(labels[kind], '').replace(separators, ''));
}
