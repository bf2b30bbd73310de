/**
 * Writes the CSV form of the golden copy: every field quoted, empty ones too, line feeds, no byte order mark. The
 * published sizes of the level 1 file and of the relationship file agree with this style (decisions/080).
 */
import type { LegalEntityRecord } from '../../lei/company.ts';
import type { Address, LegalEntityEvent, TypedAddress, TypedName } from '../../lei/company-parts.ts';
import type { ExceptionRecord, RelationshipRecord } from '../../lei/relationship.ts';
import { exceptionColumns, level1Columns, relationshipColumns, repeats } from './columns.ts';

type Field = string | null;

/** A field in quotes; null gives an empty one. */
export function quoted(value: Field): string {
  if (value === null) return '""';
  return value.includes('"') ? `"${value.replaceAll('"', '""')}"` : `"${value}"`;
}

/** The fields of up to five items, then empty fields for those missing. Every item begins with a comma. */
function repeated<T>(items: readonly T[], width: number, render: (item: T) => string): string {
  let text = '';
  const count = Math.min(items.length, repeats);
  for (let index = 0; index < count; index++) {
    const item = items[index];
    if (item !== undefined) text += render(item);
  }
  return text + emptyFields(width * (repeats - count));
}

const empties: string[] = [];
function emptyFields(count: number): string {
  let text = empties[count];
  if (text === undefined) {
    text = ',""'.repeat(count);
    empties[count] = text;
  }
  return text;
}

function header(columns: readonly string[]): string {
  return `${columns.map(quoted).join(',')}\n`;
}
export const level1Header = header(level1Columns);
export const relationshipsHeader = header(relationshipColumns);
export const exceptionsHeader = header(exceptionColumns);

function nameFields(name: TypedName): string {
  return `,${quoted(name.name)},${quoted(name.language)},${quoted(name.type)}`;
}

function addressBody(address: Address): string {
  const lines = address.addressLines;
  return (
    `,${quoted(lines[0] ?? null)},${quoted(address.addressNumber)},` +
    `${quoted(address.addressNumberWithinBuilding)},${quoted(address.mailRouting)},` +
    `${quoted(lines[1] ?? null)},${quoted(lines[2] ?? null)},${quoted(lines[3] ?? null)},` +
    `${quoted(address.city)},${quoted(address.region)},${quoted(address.country)},${quoted(address.postalCode)}`
  );
}

function addressFields(address: Address): string {
  return `,${quoted(address.language)}${addressBody(address)}`;
}

function typedAddressFields(address: TypedAddress): string {
  return `,${quoted(address.language)},${quoted(address.type)}${addressBody(address)}`;
}

interface GroupedEvent {
  readonly groupType: Field;
  readonly groupId: Field;
  readonly event: LegalEntityEvent;
}

function eventFields({ groupType, groupId, event }: GroupedEvent): string {
  const sequence = event.sequence === null ? null : String(event.sequence);
  return (
    `,${quoted(groupType)},${quoted(event.status)},${quoted(groupId)},${quoted(sequence)},` +
    `${quoted(event.type)},${quoted(event.effectiveDate)},${quoted(event.recordedDate)},` +
    `${quoted(event.validationDocuments)},${quoted(event.validationReference)}` +
    repeated(event.affectedFields, 2, (field) => `,${quoted(field.value)},${quoted(field.xpath)}`)
  );
}

/** One line of the level 1 file, with its line end. */
export function level1Line({ lei, entity, registration, validation }: LegalEntityRecord): string {
  const associated = entity.associatedEntity;
  const events = entity.eventGroups.flatMap((group) => group.events.map((event) => ({ ...group, event })));
  return (
    `"${lei}",${quoted(entity.legalName.name)},${quoted(entity.legalName.language)}` +
    repeated(entity.otherNames, 3, nameFields) +
    repeated(entity.transliteratedOtherNames, 3, nameFields) +
    addressFields(entity.legalAddress) +
    addressFields(entity.headquartersAddress) +
    repeated(entity.otherAddresses, 13, typedAddressFields) +
    repeated(entity.transliteratedOtherAddresses, 13, typedAddressFields) +
    `,${quoted(entity.registeredAt.id)},${quoted(entity.registeredAt.other)},${quoted(entity.registeredAs)}` +
    `,${quoted(entity.jurisdiction)},${quoted(entity.category)},${quoted(entity.subCategory)}` +
    `,${quoted(entity.legalForm.id)},${quoted(entity.legalForm.other)}` +
    (associated === null
      ? emptyFields(4)
      : `,${quoted(associated.type)},${quoted(associated.lei)},${quoted(associated.name)},""`) +
    `,${quoted(entity.status)},${quoted(entity.creationDate)}` +
    `,${quoted(entity.expiration.date)},${quoted(entity.expiration.reason)}` +
    repeated(entity.successorEntities, 3, (item) => `,${quoted(item.lei)},${quoted(item.name)},""`) +
    repeated(events, 19, eventFields) +
    `,${quoted(registration.initialRegistrationDate)},${quoted(registration.lastUpdateDate)}` +
    `,${quoted(registration.status)},${quoted(registration.nextRenewalDate)}` +
    `,${quoted(registration.managingLou)},${quoted(validation.corroborationLevel)}` +
    `,${quoted(validation.validatedAt.id)},${quoted(validation.validatedAt.other)},${quoted(validation.validatedAs)}` +
    repeated(
      validation.otherValidationAuthorities,
      3,
      (item) =>
        `,${quoted(item.validatedAt.id)},${quoted(item.validatedAt.other)},${quoted(item.validatedAs)}`,
    ) +
    `,${quoted(validation.conformityFlag)}\n`
  );
}

/** One line of the relationship file, with its line end. */
export function relationshipLine({ start, end, relationship }: RelationshipRecord): string {
  const { registration, validation } = relationship;
  return (
    `"${start}","LEI","${end}","LEI",${quoted(relationship.type)},${quoted(relationship.status)}` +
    repeated(
      relationship.periods,
      3,
      (item) => `,${quoted(item.startDate)},${quoted(item.endDate)},${quoted(item.type)}`,
    ) +
    repeated(relationship.qualifiers, 2, (item) => `,${quoted(item.dimension)},${quoted(item.category)}`) +
    repeated(
      relationship.quantifiers,
      3,
      (item) => `,${quoted(item.method)},${quoted(item.amount)},${quoted(item.units)}`,
    ) +
    `,${quoted(registration.initialRegistrationDate)},${quoted(registration.lastUpdateDate)}` +
    `,${quoted(registration.status)},${quoted(registration.nextRenewalDate)}` +
    `,${quoted(registration.managingLou)},${quoted(validation.sources)}` +
    `,${quoted(validation.documents)},${quoted(validation.reference)}\n`
  );
}

/** One line of the exceptions file, with its line end. */
export function exceptionLine({ lei, exception }: ExceptionRecord): string {
  return (
    `"${lei}",${quoted(exception.category)}` +
    repeated(exception.reasons, 1, (reason) => `,${quoted(reason)}`) +
    repeated(exception.references, 1, (reference) => `,${quoted(reference)}`) +
    '\n'
  );
}
