/** Turns relationships and reporting exceptions into element trees of RR-CDF 2.1 and of the exceptions format 2.1. */
import type { ExceptionRecord, Relationship, RelationshipRecord } from '../../lei/relationship.ts';
import { type Element, node, registrationStart, text } from './tree.ts';

/** How a delta marks a deleted record. */
function deletion(deletedAt: string | null): Element | null {
  return node('Extension', [node('gleif:Deletion', [text('gleif:DeletedAt', deletedAt)])]);
}

function nodeEnd(name: string, lei: string): Element | null {
  return node(name, [text('NodeID', lei), text('NodeIDType', 'LEI')]);
}

type Item<List extends readonly unknown[]> = List[number];

function periodElement({ startDate, endDate, type }: Item<Relationship['periods']>): Element | null {
  const children = [text('StartDate', startDate), text('EndDate', endDate), text('PeriodType', type)];
  return node('RelationshipPeriod', children, true);
}

function qualifierElement({ dimension, category }: Item<Relationship['qualifiers']>): Element | null {
  const children = [text('QualifierDimension', dimension), text('QualifierCategory', category)];
  return node('RelationshipQualifier', children, true);
}

function quantifierElement({ method, amount, units }: Item<Relationship['quantifiers']>): Element | null {
  const children = [
    text('MeasurementMethod', method),
    text('QuantifierAmount', amount),
    text('QuantifierUnits', units),
  ];
  return node('RelationshipQuantifier', children, true);
}

/** A relationship record. A deleted one is its last state with the time of deletion. */
export function relationshipElements(
  { start, end, relationship }: RelationshipRecord,
  deletedAt: string | null,
): readonly (Element | null)[] {
  const { registration, validation } = relationship;
  return [
    node('Relationship', [
      nodeEnd('StartNode', start),
      nodeEnd('EndNode', end),
      text('RelationshipType', relationship.type),
      node('RelationshipPeriods', relationship.periods.map(periodElement)),
      text('RelationshipStatus', relationship.status),
      node('RelationshipQualifiers', relationship.qualifiers.map(qualifierElement)),
      node('RelationshipQuantifiers', relationship.quantifiers.map(quantifierElement)),
    ]),
    node('Registration', [
      ...registrationStart(registration),
      text('ValidationSources', validation.sources),
      text('ValidationDocuments', validation.documents),
      text('ValidationReference', validation.reference),
    ]),
    deletion(deletedAt),
  ];
}

/** A reporting exception, deleted or not. */
export function exceptionElements(
  { lei, exception }: ExceptionRecord,
  deletedAt: string | null,
): readonly (Element | null)[] {
  return [
    text('LEI', lei),
    text('ExceptionCategory', exception.category),
    ...exception.reasons.map((reason) => text('ExceptionReason', reason, true)),
    ...exception.references.map((reference) => text('ExceptionReference', reference, true)),
    deletion(deletedAt),
  ];
}
