/** Rows of the level 1 CSV as legal entity records. */
import type { LegalEntityRecord } from '../../../lei/company.ts';
import type { Address, EventGroup, TypedAddress, TypedName } from '../../../lei/company-parts.ts';
import { holdsAnything } from '../record/blank.ts';
import { groupEvents, readSequence } from '../record/events.ts';
import { keyLei } from '../record/keys.ts';
import { checkLevel1 } from '../record/level-1-checks.ts';
import type { RecordReport } from '../record/report.ts';
import {
  type AddressColumns,
  type AuthorityColumns,
  columnList,
  columns,
  type EventColumns,
  type TypedAddressColumns,
  type TypedNameColumns,
} from './level-1-columns.ts';
import type { RowValues } from './row-values.ts';

export { columnList };
export const keys = [columns.lei];

/** Reads one row; what makes it unusable or odd goes to the report. */
export function readLevel1(row: RowValues, report: RecordReport): void {
  const lei = keyLei(row.at(columns.lei), 'LEI', report);
  if (lei === null) return;
  const record: LegalEntityRecord = {
    lei,
    entity: entity(row, report),
    registration: {
      status: row.at(columns.registrationStatus),
      initialRegistrationDate: date(row, columns.initialRegistrationDate, report),
      lastUpdateDate: date(row, columns.lastUpdateDate, report),
      nextRenewalDate: date(row, columns.nextRenewalDate, report),
      managingLou: row.at(columns.managingLou),
    },
    validation: {
      corroborationLevel: row.at(columns.validationSources),
      ...validated(row, columns.validationAuthority),
      otherValidationAuthorities: row.list(columns.otherValidationAuthorities, (item) =>
        validated(row, item),
      ),
      conformityFlag: row.at(columns.conformityFlag),
    },
  };
  checkLevel1(record, report);
  report.row({ kind: 'level-1', record });
}

function entity(row: RowValues, report: RecordReport): LegalEntityRecord['entity'] {
  return {
    legalName: { name: row.at(columns.legalName.name) ?? '', language: row.at(columns.legalName.language) },
    otherNames: row.list(columns.otherNames, (item) => typedName(row, item)),
    transliteratedOtherNames: row.list(columns.transliteratedOtherNames, (item) => typedName(row, item)),
    legalAddress: address(row, columns.legalAddress),
    headquartersAddress: address(row, columns.headquartersAddress),
    otherAddresses: row.list(columns.otherAddresses, (item) => typedAddress(row, item)),
    transliteratedOtherAddresses: row.list(columns.transliteratedOtherAddresses, (item) =>
      typedAddress(row, item),
    ),
    registeredAt: {
      id: row.at(columns.registrationAuthority.id),
      other: row.at(columns.registrationAuthority.other),
    },
    registeredAs: row.at(columns.registrationAuthority.entityId),
    jurisdiction: row.at(columns.jurisdiction),
    category: row.at(columns.category),
    subCategory: row.at(columns.subCategory),
    legalForm: { id: row.at(columns.legalForm), other: row.at(columns.otherLegalForm) },
    associatedEntity: associatedEntity(row),
    status: row.at(columns.entityStatus),
    creationDate: date(row, columns.creationDate, report),
    expiration: { date: date(row, columns.expirationDate, report), reason: row.at(columns.expirationReason) },
    // Some items hold nothing but the language of a name that is missing.
    successorEntities: row
      .list(columns.successorEntities, (item) => ({ lei: row.at(item.lei), name: row.at(item.name) }))
      .filter(holdsAnything),
    eventGroups: eventGroups(row, report),
  };
}

function date(row: RowValues, column: number, report: RecordReport): string | null {
  return report.date(row.at(column), columnList.names[column] ?? '');
}

function typedName(row: RowValues, item: TypedNameColumns): TypedName {
  return { name: row.at(item.name), language: row.at(item.language), type: row.at(item.type) };
}

function address(row: RowValues, item: AddressColumns): Address {
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

function typedAddress(row: RowValues, item: TypedAddressColumns): TypedAddress {
  return { type: row.at(item.type), ...address(row, item) };
}

function addressLines(row: RowValues, item: AddressColumns): string[] {
  const lines: string[] = [];
  const first = row.at(item.firstLine);
  if (first !== null) lines.push(first);
  for (const column of item.additionalLines) {
    const line = row.at(column);
    if (line !== null) lines.push(line);
  }
  return lines;
}

function validated(row: RowValues, item: AuthorityColumns) {
  return {
    validatedAt: { id: row.at(item.id), other: row.at(item.other) },
    validatedAs: row.at(item.entityId),
  };
}

function associatedEntity(row: RowValues): LegalEntityRecord['entity']['associatedEntity'] {
  const type = row.at(columns.associatedEntity.type);
  const lei = row.at(columns.associatedEntity.lei);
  const name = row.at(columns.associatedEntity.name);
  return type === null && lei === null && name === null ? null : { type, lei, name };
}

function eventGroups(row: RowValues, report: RecordReport): EventGroup[] {
  return groupEvents(row.list(columns.events, (item) => publishedEvent(row, item, report)));
}

function publishedEvent(row: RowValues, item: EventColumns, report: RecordReport) {
  return {
    groupType: row.at(item.groupType),
    groupId: row.at(item.groupId),
    event: {
      type: row.at(item.type),
      status: row.at(item.status),
      sequence: readSequence(row.at(item.sequence), columnList.names[item.sequence] ?? '', report),
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
