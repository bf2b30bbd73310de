/** A relationship record as the environment holds it: both ends as entity numbers, then the packed values. */
import type { Relationship } from '../lei/relationship.ts';
import {
  pack,
  packCode,
  packedToJson,
  packRows,
  packTime,
  rowsToJson,
  slotSeparator,
  unpack,
} from './packing.ts';
import type { EntityNumber, StoredRelationship } from './publication-reader.ts';

const slot = {
  start: 0,
  end: 1,
  type: 2,
  status: 3,
  periods: 4,
  qualifiers: 5,
  quantifiers: 6,
  sources: 7,
  documents: 8,
  reference: 9,
  registrationStatus: 10,
  initialRegistrationDate: 11,
  lastUpdateDate: 12,
  nextRenewalDate: 13,
  managingLou: 14,
} as const;

/** The values of a relationship without its ends: equal texts are equal records. */
export function packRelationship(relationship: Relationship): string {
  const { validation, registration } = relationship;
  return [
    packCode(relationship.type),
    packCode(relationship.status),
    packRows(relationship.periods, (period) => [
      packCode(period.type),
      packTime(period.startDate),
      packTime(period.endDate),
    ]),
    packRows(relationship.qualifiers, (qualifier) => [
      packCode(qualifier.dimension),
      packCode(qualifier.category),
    ]),
    packRows(relationship.quantifiers, (quantifier) => [
      packCode(quantifier.method),
      pack(quantifier.amount),
      packCode(quantifier.units),
    ]),
    packCode(validation.sources),
    packCode(validation.documents),
    pack(validation.reference),
    packCode(registration.status),
    packTime(registration.initialRegistrationDate),
    packTime(registration.lastUpdateDate),
    packTime(registration.nextRenewalDate),
    pack(registration.managingLou),
  ].join(slotSeparator);
}

export function withEnds(record: string, start: EntityNumber, end: EntityNumber): string {
  return `${start}${slotSeparator}${end}${slotSeparator}${record}`;
}

/** Takes a stored text apart into its ends and what {@link packRelationship} made. */
export function splitEnds(stored: string): { start: EntityNumber; end: EntityNumber; record: string } {
  const first = stored.indexOf(slotSeparator);
  const second = stored.indexOf(slotSeparator, first + 1);
  return {
    start: Number(stored.slice(0, first)),
    end: Number(stored.slice(first + 1, second)),
    record: stored.slice(second + 1),
  };
}

/** The published type and status of a packed record without its ends. */
export function kindOfRelationship(record: string): { type: string; status: string | null } {
  const [type = '', status = ''] = record.split(slotSeparator, 2);
  return { type: unpack(type) ?? '', status: unpack(status) };
}

export function renderRelationship(stored: string): StoredRelationship {
  const slots = stored.split(slotSeparator);
  const at = (index: number) => slots[index] ?? '';
  const json = (index: number) => packedToJson(at(index));
  return {
    start: Number(at(slot.start)),
    end: Number(at(slot.end)),
    type: unpack(at(slot.type)) ?? '',
    status: unpack(at(slot.status)),
    lastUpdateDate: unpack(at(slot.lastUpdateDate)) ?? '',
    json: `{"type":${json(slot.type)},"status":${json(slot.status)},"periods":${rowsToJson(at(slot.periods), renderPeriod)},"qualifiers":${rowsToJson(at(slot.qualifiers), renderQualifier)},"quantifiers":${rowsToJson(at(slot.quantifiers), renderQuantifier)},"validation":{"sources":${json(slot.sources)},"documents":${json(slot.documents)},"reference":${json(slot.reference)}},"registration":{"status":${json(slot.registrationStatus)},"initialRegistrationDate":${json(slot.initialRegistrationDate)},"lastUpdateDate":${json(slot.lastUpdateDate)},"nextRenewalDate":${json(slot.nextRenewalDate)},"managingLou":${json(slot.managingLou)}}}`,
  };
}

function renderPeriod([type = '', start = '', end = '']: readonly string[]): string {
  return `{"type":${packedToJson(type)},"startDate":${packedToJson(start)},"endDate":${packedToJson(end)}}`;
}

function renderQualifier([dimension = '', category = '']: readonly string[]): string {
  return `{"dimension":${packedToJson(dimension)},"category":${packedToJson(category)}}`;
}

function renderQuantifier([method = '', amount = '', units = '']: readonly string[]): string {
  return `{"method":${packedToJson(method)},"amount":${packedToJson(amount)},"units":${packedToJson(units)}}`;
}
