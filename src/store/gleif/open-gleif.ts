/** Opens the readers of a publication that GLEIF's API needs; counts relationships by the company at their end. */

import { type RelationName, relations } from '../../lei/gleif-relations.ts';
import { currentStatus } from '../../lei/relationship-codes.ts';
import { readCodeList, type StoredCode } from '../code-lists.ts';
import { slotCount } from '../company-fields.ts';
import type { CompanyFile } from '../company-file.ts';
import { findSlots } from '../packed-json.ts';
import type { RawPublication } from '../raw-publication.ts';
import { hasWords } from '../record-words.ts';
import { renderRelationship } from '../relationship-record.ts';
import type { Steps } from '../steps.ts';
import type { ServedTables } from '../tables.ts';
import { placesOfPart, TextFields, valuesOfField } from '../text-parts.ts';
import type { GleifReader, RelationCounts } from './gleif-reader.ts';
import { putRecord } from './record.ts';
import { openRelationFacts } from './relation-facts.ts';

const noBytes = new Uint8Array(0);

export function openGleif(companies: CompanyFile, opened: RawPublication<ServedTables>): GleifReader {
  const factsOf = openRelationFacts(opened);
  const starts = new Int32Array(slotCount + 1);
  const fields = new TextFields();
  return {
    putRecord(out, entity, texts) {
      const stored = companies.companyRecord(entity);
      if (stored === null) return false;
      const has = factsOf(entity);
      const mapped = companies.mappings(entity);
      const mappings = { mappings: mapped?.bytes ?? noBytes, mappingsLength: mapped?.length ?? 0 };
      putRecord(out, { ...stored, ...mappings, has }, texts);
      return true;
    },
    values(entity, part) {
      const stored = companies.companyRecord(entity);
      if (stored === null) return [];
      findSlots(starts, stored.bytes, stored.length);
      fields.find(stored.bytes, starts, placesOfPart[part]);
      return Array.from({ length: fields.count }, (_, field) =>
        valuesOfField(stored.bytes, fields.from[field] ?? 0, fields.to[field] ?? 0),
      ).flat();
    },
    hasWords(entity, part, sought) {
      const stored = companies.companyRecord(entity);
      return stored !== null && hasWords(stored, part, sought);
    },
    relationCounts: openRelationCounts(opened),
    codeList: (list): readonly StoredCode[] => readCodeList(opened.tables.codeLists, list),
  };
}

/** About half a millisecond of reading. */
const recordsPerStep = 500;

/** Reads all relationships once, when the first filter asks. */
function openRelationCounts({ tables, transaction }: RawPublication) {
  let known: ReadonlyMap<string, RelationCounts> | null = null;
  return function* countsOf(name: RelationName): Steps<RelationCounts> {
    known ??= yield* countAll(tables, transaction);
    return known.get(relations[name].type) ?? new Map();
  };
}

function* countAll(
  tables: RawPublication['tables'],
  transaction: RawPublication['transaction'],
): Steps<ReadonlyMap<string, RelationCounts>> {
  const byType = new Map<string, Map<number, number>>();
  let read = 0;
  for (const { value } of tables.relationships.getRange({ transaction })) {
    if (++read % recordsPerStep === 0) yield;
    const { end, type, status } = renderRelationship(value);
    if (status !== currentStatus) continue;
    const counts = byType.get(type) ?? new Map<number, number>();
    byType.set(type, counts);
    counts.set(end, (counts.get(end) ?? 0) + 1);
  }
  return byType;
}
