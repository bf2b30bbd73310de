/** Writes trees (the form of GLEIF's JSON) as the files of the common data formats. */
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
