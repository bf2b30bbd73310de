/**
 * Writes golden copy files in XML as GLEIF writes them. The elements are written down here, from GLEIF's own files
 * (gleif-files.test.ts compares), and not taken from the tables of src/lei, by which the parser reads and `lei generate`
 * writes: a mistake there would cancel out.
 */
import { deepStrictEqual } from 'node:assert';
import type { LegalEntityRecord } from '../../src/lei/company.ts';
import type { Address, EventGroup, TypedName } from '../../src/lei/company-parts.ts';
import type { ExceptionRecord, RelationshipRecord } from '../../src/lei/relationship.ts';

/** The beginning of a file. `deltaStart` is null for a full set. */
export interface FileHeader {
  readonly contentDate: string;
  readonly deltaStart: string | null;
}

type Text = string | null;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] ?? '');

/** An element with a text; '' if the record has none. @param attributes with a space before */
const leaf = (name: string, text: Text, attributes = '') =>
  text === null ? '' : `<${name}${attributes}>${escaped(text)}</${name}>\n`;

/** An element with others; '' without any. @param name with its attributes, if it has some */
const element = (name: string, ...children: readonly string[]) => {
  const content = children.join('');
  return content === '' ? '' : `<${name}>\n${content}</${name.split(' ')[0]}>\n`;
};

const inLanguage = (language: Text) => (language === null ? '' : ` xml:lang="${escaped(language)}"`);

function address(name: string, given: Address): string {
  const [first = null, ...additional] = given.addressLines;
  const content = [
    leaf('lei:FirstAddressLine', first),
    leaf('lei:AddressNumber', given.addressNumber),
    leaf('lei:AddressNumberWithinBuilding', given.addressNumberWithinBuilding),
    leaf('lei:MailRouting', given.mailRouting),
    ...additional.map((line) => leaf('lei:AdditionalAddressLine', line)),
    leaf('lei:City', given.city),
    leaf('lei:Region', given.region),
    leaf('lei:Country', given.country),
    leaf('lei:PostalCode', given.postalCode),
  ];
  return element(`${name}${inLanguage(given.language)}`, ...content);
}

/** A list of names. @param name of one of them */
const names = (name: string, list: readonly TypedName[]) =>
  element(
    `${name}s`,
    ...list.map((each) => leaf(name, each.name, `${inLanguage(each.language)} type="${each.type}"`)),
  );

const attribute = (name: string, value: Text | number) =>
  value === null ? '' : ` ${name}="${escaped(String(value))}"`;

function eventElements({ groupType, groupId, events }: EventGroup): readonly string[] {
  const group = attribute('group_type', groupType) + attribute('group_id', groupId);
  return events.map((event) =>
    element(
      `lei:LegalEntityEvent${group}${attribute('group_sequence_no', event.sequence)}${attribute('event_status', event.status)}`,
      leaf('lei:LegalEntityEventType', event.type),
      leaf('lei:LegalEntityEventEffectiveDate', event.effectiveDate),
      leaf('lei:LegalEntityEventRecordedDate', event.recordedDate),
      leaf('lei:ValidationDocuments', event.validationDocuments),
      leaf('lei:ValidationReference', event.validationReference),
    ),
  );
}

/** @throws if the record has values that no test has needed so far */
export function level1Element({ lei, entity, registration, validation }: LegalEntityRecord): string {
  const events = entity.eventGroups.flatMap((group) => group.events);
  const unwritten = [
    entity.otherAddresses,
    entity.transliteratedOtherAddresses,
    events.map((event) => event.affectedFields),
  ];
  deepStrictEqual(
    [...unwritten, validation.otherValidationAuthorities].flat(2),
    [],
    `${lei} is not written whole`,
  );
  const { associatedEntity, successorEntities } = entity;
  return element(
    'lei:LEIRecord',
    leaf('lei:LEI', lei),
    element(
      'lei:Entity',
      leaf('lei:LegalName', entity.legalName.name, inLanguage(entity.legalName.language)),
      names('lei:OtherEntityName', entity.otherNames),
      names('lei:TransliteratedOtherEntityName', entity.transliteratedOtherNames),
      address('lei:LegalAddress', entity.legalAddress),
      address('lei:HeadquartersAddress', entity.headquartersAddress),
      element(
        'lei:RegistrationAuthority',
        leaf('lei:RegistrationAuthorityID', entity.registeredAt.id),
        leaf('lei:OtherRegistrationAuthorityID', entity.registeredAt.other),
        leaf('lei:RegistrationAuthorityEntityID', entity.registeredAs),
      ),
      leaf('lei:LegalJurisdiction', entity.jurisdiction),
      leaf('lei:EntityCategory', entity.category),
      leaf('lei:EntitySubCategory', entity.subCategory),
      element(
        'lei:LegalForm',
        leaf('lei:EntityLegalFormCode', entity.legalForm.id),
        leaf('lei:OtherLegalForm', entity.legalForm.other),
      ),
      associatedEntity === null
        ? ''
        : element(
            `lei:AssociatedEntity type="${associatedEntity.type}"`,
            leaf('lei:AssociatedLEI', associatedEntity.lei),
            leaf('lei:AssociatedEntityName', associatedEntity.name),
          ),
      leaf('lei:EntityStatus', entity.status),
      leaf('lei:EntityCreationDate', entity.creationDate),
      leaf('lei:EntityExpirationDate', entity.expiration.date),
      leaf('lei:EntityExpirationReason', entity.expiration.reason),
      ...successorEntities.map((successor) =>
        element(
          'lei:SuccessorEntity',
          leaf('lei:SuccessorLEI', successor.lei),
          leaf('lei:SuccessorEntityName', successor.name, inLanguage(successor.language)),
        ),
      ),
      element('lei:LegalEntityEvents', ...entity.eventGroups.flatMap(eventElements)),
    ),
    element(
      'lei:Registration',
      leaf('lei:InitialRegistrationDate', registration.initialRegistrationDate),
      leaf('lei:LastUpdateDate', registration.lastUpdateDate),
      leaf('lei:RegistrationStatus', registration.status),
      leaf('lei:NextRenewalDate', registration.nextRenewalDate),
      leaf('lei:ManagingLOU', registration.managingLou),
      leaf('lei:ValidationSources', validation.corroborationLevel),
      element(
        'lei:ValidationAuthority',
        leaf('lei:ValidationAuthorityID', validation.validatedAt.id),
        leaf('lei:OtherValidationAuthorityID', validation.validatedAt.other),
        leaf('lei:ValidationAuthorityEntityID', validation.validatedAs),
      ),
    ),
    element(
      'lei:Extension',
      element('gleif:conformity', leaf('gleif:conformityflag', validation.conformityFlag)),
    ),
  );
}

const deletion = (prefix: string, deletedAt: Text) =>
  element(`${prefix}:Extension`, element('gleif:Deletion', leaf('gleif:DeletedAt', deletedAt)));

/** @param deletedAt of a record that a delta deletes */
export function relationshipElement(
  { start, end, relationship }: RelationshipRecord,
  deletedAt: Text = null,
): string {
  const node = (name: string, lei: string) =>
    element(name, leaf('rr:NodeID', lei), leaf('rr:NodeIDType', 'LEI'));
  const { periods, qualifiers, quantifiers, registration, validation } = relationship;
  return element(
    'rr:RelationshipRecord',
    element(
      'rr:Relationship',
      node('rr:StartNode', start),
      node('rr:EndNode', end),
      leaf('rr:RelationshipType', relationship.type),
      element(
        'rr:RelationshipPeriods',
        ...periods.map(({ type, startDate, endDate }) =>
          element(
            'rr:RelationshipPeriod',
            leaf('rr:StartDate', startDate),
            leaf('rr:EndDate', endDate),
            leaf('rr:PeriodType', type),
          ),
        ),
      ),
      leaf('rr:RelationshipStatus', relationship.status),
      element(
        'rr:RelationshipQualifiers',
        ...qualifiers.map(({ dimension, category }) =>
          element(
            'rr:RelationshipQualifier',
            leaf('rr:QualifierDimension', dimension),
            leaf('rr:QualifierCategory', category),
          ),
        ),
      ),
      element(
        'rr:RelationshipQuantifiers',
        ...quantifiers.map(({ method, amount, units }) =>
          element(
            'rr:RelationshipQuantifier',
            leaf('rr:MeasurementMethod', method),
            leaf('rr:QuantifierAmount', amount),
            leaf('rr:QuantifierUnits', units),
          ),
        ),
      ),
    ),
    element(
      'rr:Registration',
      leaf('rr:InitialRegistrationDate', registration.initialRegistrationDate),
      leaf('rr:LastUpdateDate', registration.lastUpdateDate),
      leaf('rr:RegistrationStatus', registration.status),
      leaf('rr:NextRenewalDate', registration.nextRenewalDate),
      leaf('rr:ManagingLOU', registration.managingLou),
      leaf('rr:ValidationSources', validation.sources),
      leaf('rr:ValidationDocuments', validation.documents),
      leaf('rr:ValidationReference', validation.reference),
    ),
    deletion('rr', deletedAt),
  );
}

/** @param deletedAt of a record that a delta deletes */
export function exceptionElement({ lei, exception }: ExceptionRecord, deletedAt: Text = null): string {
  return element(
    'repex:Exception',
    leaf('repex:LEI', lei),
    leaf('repex:ExceptionCategory', exception.category),
    ...exception.reasons.map((reason) => leaf('repex:ExceptionReason', reason)),
    ...exception.references.map((reference) => leaf('repex:ExceptionReference', reference)),
    deletion('repex', deletedAt),
  );
}

const files = {
  lei2: { prefix: 'lei', root: 'LEIData', schema: 'leidata/2016', header: 'LEIHeader', list: 'LEIRecords' },
  rr: {
    prefix: 'rr',
    root: 'RelationshipData',
    schema: 'rr/2016',
    header: 'Header',
    list: 'RelationshipRecords',
  },
  repex: {
    prefix: 'repex',
    root: 'ReportingExceptionData',
    schema: 'repex/2016',
    header: 'Header',
    list: 'ReportingExceptions',
  },
} as const;
const schemas = 'http://www.gleif.org/data/schema';

/** A whole file. @param records their elements */
export function goldenCopyFile(
  family: keyof typeof files,
  records: readonly string[],
  { contentDate, deltaStart }: FileHeader,
): string {
  const { prefix, root, schema, header, list } = files[family];
  const content = deltaStart === null ? 'GLEIF_FULL_PUBLISHED' : 'GLEIF_DELTA_PUBLISHED';
  const namespaces = `xmlns:${prefix}="${schemas}/${schema}" xmlns:gleif="${schemas}/golden-copy/extensions/1.0"`;
  return `<?xml version="1.0" encoding="UTF-8"?><${prefix}:${root} ${namespaces}>
${element(
  `${prefix}:${header}`,
  leaf(`${prefix}:ContentDate`, contentDate),
  leaf(`${prefix}:FileContent`, content),
  leaf(`${prefix}:DeltaStart`, deltaStart),
  leaf(`${prefix}:RecordCount`, String(records.length)),
)}<${prefix}:${list}>
${records.join('')}</${prefix}:${list}>
</${prefix}:${root}>
`;
}
