/** Renders a packed company as the JSON of a Company: constants and slots joined, nothing parsed. */
import { legalFormLabel } from '../lei/codes.ts';
import { type ProvenanceFile, slot } from './company-record.ts';
import {
  elementsToJson,
  fieldSeparator,
  packedToJson,
  rowsToJson,
  same,
  slotSeparator,
  unpack,
  unpackRows,
} from './packing.ts';

/** What the indexes in a record point to, as JSON texts made once. */
export interface ProvenanceTexts {
  readonly files: readonly string[];
  readonly versions: readonly string[];
}

export function provenanceTexts(
  files: readonly ProvenanceFile[],
  versions: readonly string[],
): ProvenanceTexts {
  return {
    files: files.map(
      ({ source, name, publishedAt }) =>
        `"source":${JSON.stringify(source)},"file":${JSON.stringify(name)},"publishedAt":${JSON.stringify(publishedAt)}`,
    ),
    versions: versions.map((version) => JSON.stringify(version)),
  };
}

/** Finished JSON of a whole Company. `mappings` is the JSON of its mappings. */
export function renderCompany(stored: string, texts: ProvenanceTexts, mappings: string): string {
  const slots = stored.split(slotSeparator);
  const at = (index: number) => slots[index] ?? '';
  const json = (index: number) => packedToJson(at(index));
  const lei = at(slot.lei);
  const legalAddress = renderAddress(at(slot.legalAddress));
  const headquarters = at(slot.headquartersAddress);
  const managingLou = at(slot.managingLou);
  const successors = at(slot.successorEntities);
  const validatedAt = at(slot.validatedAt);
  const validatedAs = at(slot.validatedAs);
  return `{"lei":"${lei}","entity":{"legalName":{"name":${json(slot.legalName)},"language":${json(slot.language)}},"otherNames":${renderNames(at(slot.otherNames))},"transliteratedOtherNames":${renderNames(at(slot.transliteratedOtherNames))},"legalAddress":${legalAddress},"headquartersAddress":${headquarters === same ? legalAddress : renderAddress(headquarters)},"otherAddresses":${renderTypedAddresses(at(slot.otherAddresses))},"transliteratedOtherAddresses":${renderTypedAddresses(at(slot.transliteratedOtherAddresses))},"registeredAt":{"id":${json(slot.registeredAt)},"other":${json(slot.registeredAtOther)}},"registeredAs":${json(slot.registeredAs)},"jurisdiction":${json(slot.jurisdiction)},"category":${json(slot.category)},"subCategory":${json(slot.subCategory)},"legalForm":{"id":${json(slot.legalForm)},"other":${json(slot.legalFormOther)},"label":${labelJson(at(slot.legalForm))}},"associatedEntity":${renderAssociated(at(slot.associatedEntity))},"status":${json(slot.status)},"creationDate":${json(slot.creationDate)},"expiration":{"date":${json(slot.expirationDate)},"reason":${json(slot.expirationReason)}},"successorEntities":${renderSuccessors(successors)},"eventGroups":${at(slot.eventGroups) || '[]'}},"registration":{"status":${json(slot.registrationStatus)},"initialRegistrationDate":${json(slot.initialRegistrationDate)},"lastUpdateDate":${json(slot.lastUpdateDate)},"nextRenewalDate":${json(slot.nextRenewalDate)},"managingLou":${packedToJson(managingLou)}},"validation":{"corroborationLevel":${json(slot.corroborationLevel)},"validatedAt":{"id":${validatedAt === same ? json(slot.registeredAt) : packedToJson(validatedAt)},"other":${json(slot.validatedAtOther)}},"validatedAs":${validatedAs === same ? json(slot.registeredAs) : packedToJson(validatedAs)},"otherValidationAuthorities":${rowsToJson(at(slot.otherValidationAuthorities), renderAuthority)},"conformityFlag":${json(slot.conformityFlag)}},"provenance":${renderProvenance(at(slot.provenance), texts)},"mappings":${mappings},"links":{"self":"${companyPath}${lei}","relationships":"${companyPath}${lei}/relationships","changes":"${companyPath}${lei}/changes","managingLou":${managingLou === '' ? 'null' : `"${companyPath}${managingLou}"`},"successors":${renderSuccessorLinks(successors)}}}`;
}
const companyPath = '/api/v1/lei/';

function renderAddress(packed: string): string {
  return renderAddressFields(packed.split(fieldSeparator), 0);
}

function renderAddressFields(fields: readonly string[], from: number): string {
  const json = (index: number) => packedToJson(fields[from + index] ?? '');
  return `{${from === 0 ? '' : `"type":${packedToJson(fields[0] ?? '')},`}"language":${json(0)},"addressLines":${elementsToJson(fields[from + 1] ?? '')},"addressNumber":${json(2)},"addressNumberWithinBuilding":${json(3)},"mailRouting":${json(4)},"city":${json(5)},"region":${json(6)},"country":${json(7)},"postalCode":${json(8)}}`;
}

function renderTypedAddresses(packed: string): string {
  return rowsToJson(packed, (fields) => renderAddressFields(fields, 1));
}

function renderNames(packed: string): string {
  return rowsToJson(
    packed,
    ([name = '', language = '', type = '']) =>
      `{"name":${packedToJson(name)},"language":${packedToJson(language)},"type":${packedToJson(type)}}`,
  );
}

function renderAssociated(packed: string): string {
  if (packed === '') return 'null';
  const [type = '', lei = '', name = ''] = packed.split(fieldSeparator);
  return `{"type":${packedToJson(type)},"lei":${packedToJson(lei)},"name":${packedToJson(name)}}`;
}

function renderSuccessors(packed: string): string {
  return rowsToJson(
    packed,
    ([lei = '', name = '']) => `{"lei":${packedToJson(lei)},"name":${packedToJson(name)}}`,
  );
}

function renderSuccessorLinks(packed: string): string {
  if (packed === '') return '[]';
  const leis = unpackRows(packed).flatMap(([lei = '']) => (lei === '' ? [] : [`"${companyPath}${lei}"`]));
  return `[${leis.join(',')}]`;
}

function renderAuthority([id = '', other = '', as = '']: readonly string[]): string {
  return `{"validatedAt":{"id":${packedToJson(id)},"other":${packedToJson(other)}},"validatedAs":${packedToJson(as)}}`;
}

function renderProvenance(packed: string, texts: ProvenanceTexts): string {
  const [file = '', firstSeen = '', lastChanged = ''] = packed.split(',');
  return `{${texts.files[Number(file)] ?? ''},"firstSeen":${texts.versions[Number(firstSeen)] ?? 'null'},"lastChanged":${texts.versions[Number(lastChanged)] ?? 'null'}}`;
}

const labels = new Map<string, string>();

/** JSON text of a legal form's name. Codes number a few thousand, so each label is made once. */
function labelJson(packedCode: string): string {
  let label = labels.get(packedCode);
  if (label === undefined) {
    const code = unpack(packedCode);
    label = JSON.stringify(code === null ? null : legalFormLabel(code));
    if (labels.size < labelsMax) labels.set(packedCode, label);
  }
  return label;
}
/** Codes are kept as published, so a broken file could hold any number of them. */
const labelsMax = 20_000;
