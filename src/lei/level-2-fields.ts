/** Lists the fields of a relationship record (fields.ts), without its two ends. */
import { code, type FieldsOf, text, time } from './fields.ts';
import type { Relationship } from './relationship.ts';

const qualifier: FieldsOf<Relationship['qualifiers'][number]> = {
  dimension: code('.QualifierDimension'),
  category: code('.QualifierCategory'),
};
const quantifier: FieldsOf<Relationship['quantifiers'][number]> = {
  method: code('.MeasurementMethod'),
  amount: text('.QuantifierAmount'),
  units: code('.QuantifierUnits'),
};
const period: FieldsOf<Relationship['periods'][number]> = {
  type: code('.PeriodType', '.periodType'),
  startDate: time('.StartDate', '.startDate'),
  endDate: time('.EndDate', '.endDate'),
};

/** Their order is that of the JSON and of storage, and part of the format: another needs a new format version. */
export const relationshipFields = {
  type: code('Relationship.RelationshipType'),
  status: code('Relationship.RelationshipStatus'),
  periods: {
    is: 'list',
    at: 'Relationship.RelationshipPeriods.RelationshipPeriod',
    column: 'Relationship.Period',
    members: period,
  },
  qualifiers: {
    is: 'list',
    at: 'Relationship.RelationshipQualifiers.RelationshipQualifier',
    column: 'Relationship.Qualifiers',
    members: qualifier,
  },
  quantifiers: {
    is: 'list',
    at: 'Relationship.RelationshipQuantifiers.RelationshipQuantifier',
    column: 'Relationship.Quantifiers',
    members: quantifier,
  },
  validation: {
    sources: code('Registration.ValidationSources'),
    documents: code('Registration.ValidationDocuments'),
    reference: text('Registration.ValidationReference'),
  },
  registration: {
    status: code('Registration.RegistrationStatus'),
    initialRegistrationDate: time('Registration.InitialRegistrationDate'),
    lastUpdateDate: time('Registration.LastUpdateDate'),
    nextRenewalDate: time('Registration.NextRenewalDate'),
    managingLou: text('Registration.ManagingLOU'),
  },
} as const satisfies FieldsOf<Relationship>;
