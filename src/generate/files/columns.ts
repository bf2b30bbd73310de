/** The columns of the golden copy's CSV files, in their order: 338 for level 1, 54 for relationships, 12 for exceptions. */

/** How often the CSV form repeats an element; XML and JSON are unbounded. */
export const repeats = 5;

const slots = Array.from({ length: repeats }, (_, index) => index + 1);

function repeated(columns: (slot: number) => readonly string[]): string[] {
  return slots.flatMap(columns);
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
  return repeated((slot) => [`${path}.${slot}`, `${path}.${slot}.xmllang`, `${path}.${slot}.type`]);
}

function addressesColumns(path: string): string[] {
  return repeated((slot) =>
    ['xmllang', 'type', ...addressColumns].map((column) => `${path}.${slot}.${column}`),
  );
}

function eventColumns(slot: number): string[] {
  const path = `Entity.LegalEntityEvents.LegalEntityEvent.${slot}`;
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
  ...repeated((slot) =>
    ['SuccessorLEI', 'SuccessorEntityName', 'SuccessorEntity.xmllang'].map(
      (column) => `Entity.SuccessorEntity.${slot}.${column}`,
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
  ...repeated((slot) =>
    authority.map(
      (column) => `Registration.OtherValidationAuthorities.OtherValidationAuthority.${slot}.${column}`,
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
  ...repeated((slot) =>
    ['startDate', 'endDate', 'periodType'].map((column) => `Relationship.Period.${slot}.${column}`),
  ),
  ...repeated((slot) =>
    ['QualifierDimension', 'QualifierCategory'].map((column) => `Relationship.Qualifiers.${slot}.${column}`),
  ),
  ...repeated((slot) =>
    ['MeasurementMethod', 'QuantifierAmount', 'QuantifierUnits'].map(
      (column) => `Relationship.Quantifiers.${slot}.${column}`,
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
  ...slots.map((slot) => `Exception.Reason.${slot}`),
  ...slots.map((slot) => `Exception.Reference.${slot}`),
];
