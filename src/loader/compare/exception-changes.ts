/** Which reporting exceptions came, changed or went. */
import { exceptionCategories } from '../../lei/relationship.ts';
import { exceptionCodesReader, noExceptions } from '../../store/exception-codes.ts';
import { readDirectoryValue } from '../../store/raw-publication.ts';
import { exceptionSides } from '../build/exceptions.ts';
import { type Comparison, isKnown } from './comparison.ts';
import { type FieldChange, fieldChanges } from './field-changes.ts';

export function compareExceptions(comparison: Comparison): void {
  const { entities, exceptions, full } = comparison;
  const before = baseExceptions(comparison);
  const compareOne = (entity: number) => {
    const known = before(entity);
    for (const side of exceptionSides) {
      const from = known[side];
      const to = exceptions.text(entity, side);
      if (from === to) continue;
      const lei = entities.lei(entity);
      if (!isKnown(comparison, lei)) continue;
      const relationship = { start: lei, end: null, type: exceptionCategories[side] };
      comparison.log.relationshipChanged(lei, relationship, changesBetween(from, to));
    }
  };
  if (!full) exceptions.touched().forEach(compareOne);
  else for (let entity = 1; entity <= entities.last; entity++) compareOne(entity);
}

/** The base's exceptions of an entity, as JSON members. */
function baseExceptions({ base, entities }: Comparison) {
  const { tables, transaction } = base;
  const texts: string[] = [];
  for (const { key, value } of tables.exceptions.getRange({ transaction })) texts[Number(key)] = value;
  const codesOf = exceptionCodesReader(tables.exceptionCodes, transaction);
  return (entity: number) => {
    const known = readDirectoryValue(entities.baseValue(entity));
    const codes = known === null ? noExceptions : codesOf(known.entity);
    return { direct: texts[codes.direct] ?? null, ultimate: texts[codes.ultimate] ?? null };
  };
}

const absent = { reasons: null, references: null };

/** References are often none; they are told of only where there are some. */
function changesBetween(from: string | null, to: string | null): FieldChange[] {
  const changes = fieldChanges(
    from === null ? absent : JSON.parse(`{${from}}`),
    to === null ? absent : JSON.parse(`{${to}}`),
  );
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  return changes.filter((change) => !(isEmpty(change.from) && isEmpty(change.to)));
}
