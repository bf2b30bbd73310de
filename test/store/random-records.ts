/** Random records of companies, as real and broken files hold them. */
import fc from 'fast-check';
import type { LegalEntityRecord } from '../../src/lei/company.ts';
import type { Address } from '../../src/lei/company-parts.ts';

/** Values of real and broken files: quotes, backslashes, control characters, lone surrogates, our own separators. */
export const text = fc.oneof(
  fc.constantFrom(
    '',
    '"',
    '"=',
    '=',
    'NULL',
    'null',
    '\\',
    '\n',
    '\t',
    '\u001e',
    '\u001f',
    '\ud800',
    '日本',
    'Ünïcødé',
    'ACTIVE',
    'PREVIOUS_LEGAL_NAME',
    '2024-05-04T00:00:00Z',
    '12024-05-04T00:00:00Z',
    '2024-05-04',
    '"A',
    '"@2024-05-04',
    '"\u0003"@2024-05-04',
    '2024-05-04T00:00:00+02:00',
    '2024-02-28T23:30:00.50-05:00',
    '2024-05-04T08:00:00+00:00',
    '0001-01-01T00:00:00+01:00',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 12 }),
);
export const optional = fc.option(text, { nil: null });
export const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 });
const address = {
  language: optional,
  addressLines: list(text),
  addressNumber: optional,
  addressNumberWithinBuilding: optional,
  mailRouting: optional,
  city: optional,
  region: optional,
  country: optional,
  postalCode: optional,
};
const authority = fc.record({ id: optional, other: optional });
const typedName = fc.record({ name: optional, language: optional, type: optional });
const typedAddress = fc.record({ type: optional, ...address });
export const anyLei = fc.constantFrom('213800E5Z6QRDSMZMK84', '7LTWFZYICNSX8D621K86', '529900F6BNUR3RJ2WH29');
/** As published, it may not be an LEI. */
const publishedLei = fc.oneof(anyLei, optional);
const event = fc.record({
  type: optional,
  status: optional,
  sequence: fc.option(fc.integer({ min: 1, max: 99 }), { nil: null }),
  effectiveDate: optional,
  recordedDate: optional,
  validationDocuments: optional,
  validationReference: optional,
  affectedFields: list(fc.record({ xpath: optional, value: optional })),
});
export const record: fc.Arbitrary<LegalEntityRecord> = fc.record({
  lei: anyLei,
  entity: fc.record({
    legalName: fc.record({ name: text, language: optional }),
    otherNames: list(typedName),
    transliteratedOtherNames: list(typedName),
    legalAddress: fc.record(address),
    headquartersAddress: fc.record(address),
    otherAddresses: list(typedAddress),
    transliteratedOtherAddresses: list(typedAddress),
    registeredAt: authority,
    registeredAs: optional,
    jurisdiction: optional,
    category: optional,
    subCategory: optional,
    legalForm: fc.record({
      id: fc.oneof(optional, fc.constantFrom('B6ES', 'B6ESX', 'B6E')),
      other: optional,
    }),
    associatedEntity: fc.option(
      fc.record({ type: optional, lei: fc.option(anyLei, { nil: null }), name: optional }),
      { nil: null },
    ),
    status: optional,
    creationDate: optional,
    expiration: fc.record({ date: optional, reason: optional }),
    successorEntities: list(fc.record({ lei: publishedLei, name: optional, language: optional })),
    eventGroups: list(fc.record({ groupType: optional, groupId: optional, events: list(event) })),
  }),
  registration: fc.record({
    status: optional,
    initialRegistrationDate: optional,
    lastUpdateDate: optional,
    nextRenewalDate: optional,
    managingLou: publishedLei,
  }),
  validation: fc.record({
    corroborationLevel: optional,
    validatedAt: authority,
    validatedAs: optional,
    otherValidationAuthorities: list(fc.record({ validatedAt: authority, validatedAs: optional })),
    conformityFlag: optional,
  }),
});

/** All addresses of a company. */
export function addressesOf({ entity }: LegalEntityRecord): readonly Address[] {
  const { legalAddress, headquartersAddress, otherAddresses, transliteratedOtherAddresses } = entity;
  return [legalAddress, headquartersAddress, ...otherAddresses, ...transliteratedOtherAddresses];
}
