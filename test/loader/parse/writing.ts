/** Writes trees (the form of GLEIF's JSON) as the files of the common data formats. */
import type { RelationshipRecord, ReportingException } from '../../../src/lei/relationship.ts';

export type Tree = { readonly [member: string]: Tree | readonly Tree[] | string | null };

interface XmlFamily {
  readonly prefix: string;
  readonly namespace: string;
  readonly root: string;
  readonly header: string;
  readonly list: string;
  readonly record: string;
}

const schemas = 'http://www.gleif.org/data/schema';
export const lei: XmlFamily = {
  prefix: 'lei',
  namespace: `${schemas}/leidata/2016`,
  root: 'LEIData',
  header: 'LEIHeader',
  list: 'LEIRecords',
  record: 'LEIRecord',
};
export const rr: XmlFamily = {
  prefix: 'rr',
  namespace: `${schemas}/rr/2016`,
  root: 'RelationshipData',
  header: 'Header',
  list: 'RelationshipRecords',
  record: 'RelationshipRecord',
};
export const repex: XmlFamily = {
  prefix: 'repex',
  namespace: `${schemas}/repex/2016`,
  root: 'ReportingExceptionData',
  header: 'Header',
  list: 'ReportingExceptions',
  record: 'Exception',
};

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** An XML file of records; the content of its header is given as elements by local name. */
export function xml(
  family: XmlFamily,
  records: readonly Tree[],
  header: Readonly<Record<string, string>> = {},
): string {
  const { prefix } = family;
  const qualified = (name: string) => (name.includes(':') ? name : `${prefix}:${name}`);
  const element = (name: string, node: Tree | string | null): string => {
    if (node === null) return `<${qualified(name)}/>`;
    const members = Object.entries(typeof node === 'string' ? { $: node } : node);
    const attributes = members
      .filter(([member]) => member.startsWith('@'))
      .map(([member, value]) => ` ${member.slice(1)}="${escaped(String(value))}"`);
    return `<${qualified(name)}${attributes.join('')}>${members.map(content).join('')}</${qualified(name)}>`;
  };
  const content = ([member, value]: [string, Tree[string]]): string => {
    if (member.startsWith('@')) return '';
    if (member === '$') return escaped(String(value));
    if (!isList(value)) return element(member, value);
    return value.map((item) => element(member, item)).join('\n');
  };
  const headerXml = Object.entries(header).map(([name, text]) => element(name, text));
  return `<?xml version="1.0" encoding="UTF-8"?>
<${prefix}:${family.root} xmlns:${prefix}="${family.namespace}"
    xmlns:gleif="${schemas}/golden-copy/extensions/1.0">
<${prefix}:${family.header}>${headerXml.join('')}</${prefix}:${family.header}>
<${prefix}:${family.list}>
${records.map((record) => element(family.record, record)).join('\n')}
</${prefix}:${family.list}>
</${prefix}:${family.root}>
`;
}

function isList(value: Tree[string]): value is readonly Tree[] {
  return Array.isArray(value);
}

const text = (value: string | null) => (value === null ? undefined : { $: value });

/** Without the members that are undefined. */
function tree(members: Record<string, Tree | readonly Tree[] | string | undefined>): Tree {
  const present: Record<string, Tree | readonly Tree[] | string> = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) present[name] = value;
  return present;
}

const orAbsent = (list: readonly Tree[], member: string) =>
  list.length === 0 ? undefined : tree({ [member]: list });

export function relationshipTree({ start, end, relationship }: RelationshipRecord): Tree {
  const { registration, validation } = relationship;
  const periods = relationship.periods.map((period) =>
    tree({ StartDate: text(period.startDate), EndDate: text(period.endDate), PeriodType: text(period.type) }),
  );
  const qualifiers = relationship.qualifiers.map(({ dimension, category }) =>
    tree({ QualifierDimension: text(dimension), QualifierCategory: text(category) }),
  );
  const quantifiers = relationship.quantifiers.map(({ method, amount, units }) =>
    tree({ MeasurementMethod: text(method), QuantifierAmount: text(amount), QuantifierUnits: text(units) }),
  );
  return tree({
    Relationship: tree({
      StartNode: tree({ NodeID: text(start), NodeIDType: text('LEI') }),
      EndNode: tree({ NodeID: text(end), NodeIDType: text('LEI') }),
      RelationshipType: text(relationship.type),
      RelationshipPeriods: orAbsent(periods, 'RelationshipPeriod'),
      RelationshipStatus: text(relationship.status),
      RelationshipQualifiers: orAbsent(qualifiers, 'RelationshipQualifier'),
      RelationshipQuantifiers: orAbsent(quantifiers, 'RelationshipQuantifier'),
    }),
    Registration: tree({
      InitialRegistrationDate: text(registration.initialRegistrationDate),
      LastUpdateDate: text(registration.lastUpdateDate),
      RegistrationStatus: text(registration.status),
      NextRenewalDate: text(registration.nextRenewalDate),
      ManagingLOU: text(registration.managingLou),
      ValidationSources: text(validation.sources),
      ValidationDocuments: text(validation.documents),
      ValidationReference: text(validation.reference),
    }),
  });
}

export function exceptionTree(lei: string, exception: ReportingException): Tree {
  return tree({
    LEI: text(lei),
    ExceptionCategory: text(exception.category),
    ExceptionReason: exception.reasons.map((reason) => ({ $: reason })),
    ExceptionReference: exception.references.map((reference) => ({ $: reference })),
  });
}
