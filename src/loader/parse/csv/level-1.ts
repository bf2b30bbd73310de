/** Rows of the level 1 CSV as legal entity records. */
import type {
  Address,
  EventGroup,
  LegalEntityRecord,
  TypedAddress,
  TypedName,
} from '../../../lei/company.ts';
import { holdsAnything } from '../record/blank.ts';
import { groupEvents, readSequence } from '../record/events.ts';
import { keyLei } from '../record/keys.ts';
import { checkLevel1 } from '../record/level-1-checks.ts';
import type { RecordReport } from '../record/report.ts';
import {
  type AddressSlots,
  type AuthoritySlots,
  type EventSlots,
  layout,
  slots,
  type TypedAddressSlots,
  type TypedNameSlots,
} from './level-1-layout.ts';
import type { RowSlots } from './slots.ts';

export { layout };
export const keys = [slots.lei];

/** Reads one row; what makes it unusable or odd goes to the report. */
export function readLevel1(row: RowSlots, report: RecordReport): void {
  const lei = keyLei(row.at(slots.lei), 'LEI', report);
  if (lei === null) return;
  const record: LegalEntityRecord = {
    lei,
    entity: entity(row, report),
    registration: {
      status: row.at(slots.registrationStatus),
      initialRegistrationDate: date(row, slots.initialRegistrationDate, report),
      lastUpdateDate: date(row, slots.lastUpdateDate, report),
      nextRenewalDate: date(row, slots.nextRenewalDate, report),
      managingLou: row.at(slots.managingLou),
    },
    validation: {
      corroborationLevel: row.at(slots.validationSources),
      ...validated(row, slots.validationAuthority),
      otherValidationAuthorities: row.list(slots.otherValidationAuthorities, (item) => validated(row, item)),
      conformityFlag: row.at(slots.conformityFlag),
    },
  };
  checkLevel1(record, report);
  report.row({ kind: 'level-1', record });
}

function entity(row: RowSlots, report: RecordReport): LegalEntityRecord['entity'] {
  return {
    legalName: { name: row.at(slots.legalName.name), language: row.at(slots.legalName.language) },
    otherNames: row.list(slots.otherNames, (item) => typedName(row, item)),
    transliteratedOtherNames: row.list(slots.transliteratedOtherNames, (item) => typedName(row, item)),
    legalAddress: address(row, slots.legalAddress),
    headquartersAddress: address(row, slots.headquartersAddress),
    otherAddresses: row.list(slots.otherAddresses, (item) => typedAddress(row, item)),
    transliteratedOtherAddresses: row.list(slots.transliteratedOtherAddresses, (item) =>
      typedAddress(row, item),
    ),
    registeredAt: {
      id: row.at(slots.registrationAuthority.id),
      other: row.at(slots.registrationAuthority.other),
    },
    registeredAs: row.at(slots.registrationAuthority.entityId),
    jurisdiction: row.at(slots.jurisdiction),
    category: row.at(slots.category),
    subCategory: row.at(slots.subCategory),
    legalForm: { id: row.at(slots.legalForm), other: row.at(slots.otherLegalForm) },
    associatedEntity: associatedEntity(row),
    status: row.at(slots.entityStatus),
    creationDate: date(row, slots.creationDate, report),
    expiration: { date: date(row, slots.expirationDate, report), reason: row.at(slots.expirationReason) },
    // Some slots hold no more than the language of a name that is not there.
    successorEntities: row
      .list(slots.successorEntities, (item) => ({ lei: row.at(item.lei), name: row.at(item.name) }))
      .filter(holdsAnything),
    eventGroups: eventGroups(row, report),
  };
}

function date(row: RowSlots, slot: number, report: RecordReport): string | null {
  return report.date(row.at(slot), layout.names[slot] ?? '');
}

function typedName(row: RowSlots, item: TypedNameSlots): TypedName {
  return { name: row.at(item.name), language: row.at(item.language), type: row.at(item.type) };
}

function address(row: RowSlots, item: AddressSlots): Address {
  return {
    language: row.at(item.language),
    addressLines: addressLines(row, item),
    addressNumber: row.at(item.addressNumber),
    addressNumberWithinBuilding: row.at(item.addressNumberWithinBuilding),
    mailRouting: row.at(item.mailRouting),
    city: row.at(item.city),
    region: row.at(item.region),
    country: row.at(item.country),
    postalCode: row.at(item.postalCode),
  };
}

function typedAddress(row: RowSlots, item: TypedAddressSlots): TypedAddress {
  return { type: row.at(item.type), ...address(row, item) };
}

function addressLines(row: RowSlots, item: AddressSlots): string[] {
  const lines: string[] = [];
  const first = row.at(item.firstLine);
  if (first !== null) lines.push(first);
  for (const slot of item.additionalLines) {
    const line = row.at(slot);
    if (line !== null) lines.push(line);
  }
  return lines;
}

function validated(row: RowSlots, item: AuthoritySlots) {
  return {
    validatedAt: { id: row.at(item.id), other: row.at(item.other) },
    validatedAs: row.at(item.entityId),
  };
}

function associatedEntity(row: RowSlots): LegalEntityRecord['entity']['associatedEntity'] {
  const type = row.at(slots.associatedEntity.type);
  const lei = row.at(slots.associatedEntity.lei);
  const name = row.at(slots.associatedEntity.name);
  return type === null && lei === null && name === null ? null : { type, lei, name };
}

function eventGroups(row: RowSlots, report: RecordReport): EventGroup[] {
  return groupEvents(row.list(slots.events, (item) => publishedEvent(row, item, report)));
}

function publishedEvent(row: RowSlots, item: EventSlots, report: RecordReport) {
  return {
    groupType: row.at(item.groupType),
    groupId: row.at(item.groupId),
    event: {
      type: row.at(item.type),
      status: row.at(item.status),
      sequence: readSequence(row.at(item.sequence), layout.names[item.sequence] ?? '', report),
      effectiveDate: date(row, item.effectiveDate, report),
      recordedDate: date(row, item.recordedDate, report),
      validationDocuments: row.at(item.validationDocuments),
      validationReference: row.at(item.validationReference),
      affectedFields: row.list(item.affectedFields, (field) => ({
        xpath: row.at(field.xpath),
        value: row.at(field.value),
      })),
    },
  };
}
