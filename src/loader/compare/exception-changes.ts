/** Finds which reporting exceptions came, changed or went. */
import { exceptionCategories } from '../../lei/relationship.ts';
import { exceptionCodesReader, noExceptions } from '../../store/exception-codes.ts';
import { leiOfEntity, readDirectoryValue } from '../../store/raw-publication.ts';
import { type ExceptionSide, exceptionSides, exceptionTexts } from '../build/exceptions.ts';
import { type Comparison, isKnown } from './comparison.ts';
import { type FieldChange, fieldChanges } from './field-changes.ts';

export function compareExceptions(comparison: Comparison): void {
  const { entities, exceptions, full } = comparison;
  const before = baseExceptions(comparison);
  const compareOne = (entity: number) => {
    const known = readDirectoryValue(entities.baseValue(entity));
    const from = before(known?.entity ?? null);
    for (const side of exceptionSides) {
      const to = exceptions.text(entity, side);
      // Look up the LEI only for those that differ; nearly all are the same.
      if (from[side] !== to) logChange(comparison, entities.lei(entity), side, from[side], to);
    }
  };
  if (!full) {
    exceptions.touched().forEach(compareOne);
    return;
  }
  for (let entity = 1; entity <= entities.last; entity++) compareOne(entity);
  logMissing(comparison, before);
}

/** The base's exceptions as JSON members, by its number of an entity; null for an unknown one. */
function baseExceptions({ base }: Comparison) {
  const texts = exceptionTexts(base);
  const codesOf = exceptionCodesReader(base.tables.exceptionCodes, base.transaction);
  return (entity: number | null) => {
    const { direct, ultimate } = entity === null ? noExceptions : codesOf(entity);
    return { direct: texts[direct] ?? null, ultimate: texts[ultimate] ?? null };
  };
}

/** Those of the base's entities that a full set no longer mentions. */
function logMissing(comparison: Comparison, before: ReturnType<typeof baseExceptions>): void {
  const { base, companies, entities } = comparison;
  for (let entity = 1; entity <= base.meta.lastEntity; entity++) {
    if (companies.seenInBase(entity)) continue;
    const from = before(entity);
    if (from.direct === null && from.ultimate === null) continue;
    const lei = leiOfEntity(base, entity);
    if (entities.find(lei) !== 0) continue;
    for (const side of exceptionSides) {
      if (from[side] !== null) logChange(comparison, lei, side, from[side], null);
    }
  }
}

function logChange(
  comparison: Comparison,
  lei: string,
  side: ExceptionSide,
  from: string | null,
  to: string | null,
): void {
  if (!isKnown(comparison, lei)) return;
  const relationship = { start: lei, end: null, type: exceptionCategories[side] };
  comparison.log.relationshipChanged(lei, relationship, changesBetween(from, to));
}

const absent = { reasons: null, references: null };

/** Include references only if there are any. */
function changesBetween(from: string | null, to: string | null): FieldChange[] {
  const changes = fieldChanges(
    from === null ? absent : JSON.parse(`{${from}}`),
    to === null ? absent : JSON.parse(`{${to}}`),
  );
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  return changes.filter((change) => !(isEmpty(change.from) && isEmpty(change.to)));
}
