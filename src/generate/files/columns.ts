/** The columns of the golden copy's CSV files in order: 338 for level 1, 54 for relationships, 12 for exceptions. */

/** How often the CSV form repeats an element. XML and JSON have no such limit. */
export const repeats = 5;

const numbers = Array.from({ length: repeats }, (_, index) => index + 1);

function repeated(columns: (number: number) => readonly string[]): string[] {
  return numbers.flatMap(columns);
}

const addressColumns = [
  'FirstAddressLine',
  'AddressNumber',
  'AddressNumberWithinBuilding',
  'MailRouting',
  'AdditionalAddressLine.1',
  'AdditionalAddressLine.2',
  'AdditionalAddressLine.3',
  'City',
  'Region',
  'Country',
  'PostalCode',
];

function nameColumns(path: string): string[] {
  return repeated((number) => [`${path}.${number}`, `${path}.${number}.xmllang`, `${path}.${number}.type`]);
}

function addressesColumns(path: string): string[] {
  return repeated((number) =>
    ['xmllang', 'type', ...addressColumns].map((column) => `${path}.${number}.${column}`),
  );
}

function eventColumns(number: number): string[] {
  const path = `Entity.LegalEntityEvents.LegalEntityEvent.${number}`;
  return [
    ...[
      'group_type',
      'event_status',
      'group_id',
      'group_sequence_no',
      'LegalEntityEventType',
      'LegalEntityEventEffectiveDate',
      'LegalEntityEventRecordedDate',
      'ValidationDocuments',
      'ValidationReference',
    ].map((column) => `${path}.${column}`),
    ...repeated((field) => [
      `${path}.AffectedFields.${field}.AffectedField`,
      `${path}.AffectedFields.${field}.field_xpath`,
    ]),
  ];
}

const authority = ['ValidationAuthorityID', 'OtherValidationAuthorityID', 'ValidationAuthorityEntityID'];

export const level1Columns: readonly string[] = [
  'LEI',
  'Entity.LegalName',
  'Entity.LegalName.xmllang',
  ...nameColumns('Entity.OtherEntityNames.OtherEntityName'),
  ...nameColumns('Entity.TransliteratedOtherEntityNames.TransliteratedOtherEntityName'),
  ...['xmllang', ...addressColumns].map((column) => `Entity.LegalAddress.${column}`),
  ...['xmllang', ...addressColumns].map((column) => `Entity.HeadquartersAddress.${column}`),
  ...addressesColumns('Entity.OtherAddresses.OtherAddress'),
  ...addressesColumns('Entity.TransliteratedOtherAddresses.TransliteratedOtherAddress'),
  ...['RegistrationAuthorityID', 'OtherRegistrationAuthorityID', 'RegistrationAuthorityEntityID'].map(
    (column) => `Entity.RegistrationAuthority.${column}`,
  ),
  'Entity.LegalJurisdiction',
  'Entity.EntityCategory',
  'Entity.EntitySubCategory',
  'Entity.LegalForm.EntityLegalFormCode',
  'Entity.LegalForm.OtherLegalForm',
  ...['type', 'AssociatedLEI', 'AssociatedEntityName', 'AssociatedEntityName.xmllang'].map(
    (column) => `Entity.AssociatedEntity.${column}`,
  ),
  'Entity.EntityStatus',
  'Entity.EntityCreationDate',
  'Entity.EntityExpirationDate',
  'Entity.EntityExpirationReason',
  ...repeated((number) =>
    ['SuccessorLEI', 'SuccessorEntityName', 'SuccessorEntity.xmllang'].map(
      (column) => `Entity.SuccessorEntity.${number}.${column}`,
    ),
  ),
  ...repeated(eventColumns),
  'Registration.InitialRegistrationDate',
  'Registration.LastUpdateDate',
  'Registration.RegistrationStatus',
  'Registration.NextRenewalDate',
  'Registration.ManagingLOU',
  'Registration.ValidationSources',
  ...authority.map((column) => `Registration.ValidationAuthority.${column}`),
  ...repeated((number) =>
    authority.map(
      (column) => `Registration.OtherValidationAuthorities.OtherValidationAuthority.${number}.${column}`,
    ),
  ),
  'ConformityFlag',
];

export const relationshipColumns: readonly string[] = [
  'Relationship.StartNode.NodeID',
  'Relationship.StartNode.NodeIDType',
  'Relationship.EndNode.NodeID',
  'Relationship.EndNode.NodeIDType',
  'Relationship.RelationshipType',
  'Relationship.RelationshipStatus',
  ...repeated((number) =>
    ['startDate', 'endDate', 'periodType'].map((column) => `Relationship.Period.${number}.${column}`),
  ),
  ...repeated((number) =>
    ['QualifierDimension', 'QualifierCategory'].map(
      (column) => `Relationship.Qualifiers.${number}.${column}`,
    ),
  ),
  ...repeated((number) =>
    ['MeasurementMethod', 'QuantifierAmount', 'QuantifierUnits'].map(
      (column) => `Relationship.Quantifiers.${number}.${column}`,
    ),
  ),
  ...[
    'InitialRegistrationDate',
    'LastUpdateDate',
    'RegistrationStatus',
    'NextRenewalDate',
    'ManagingLOU',
    'ValidationSources',
    'ValidationDocuments',
    'ValidationReference',
  ].map((column) => `Registration.${column}`),
];

export const exceptionColumns: readonly string[] = [
  'LEI',
  'Exception.Category',
  ...numbers.map((number) => `Exception.Reason.${number}`),
  ...numbers.map((number) => `Exception.Reference.${number}`),
];
