/** Writes the XML form, with namespaces, headers and indentation as in the golden copy. */
import { type Family, goldenCopy } from '../../lei/golden-copy.ts';
import type { TreeElement } from './tree.ts';

const special = /[&<>"]/;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(value: string): string {
  return special.test(value) ? value.replace(/[&<>"]/g, (character) => entities[character] ?? '') : value;
}

const golden = 'xmlns:gleif="http://www.gleif.org/data/schema/golden-copy/extensions/1.0"';

/** The header of a file. `deltaStart` is null for a full set. */
export interface FileHeader {
  readonly contentDate: string;
  readonly fileContent: 'GLEIF_FULL_PUBLISHED' | 'GLEIF_DELTA_PUBLISHED';
  readonly deltaStart: string | null;
  readonly recordCount: number;
}

function written(
  elementName: string,
  { attributes, content }: TreeElement,
  prefix: string,
  indent: string,
): string {
  const name = elementName.includes(':') ? elementName : `${prefix}:${elementName}`;
  let start = `${indent}<${name}`;
  for (const [key, value] of attributes) start += ` ${key}="${escaped(value)}"`;
  if (typeof content === 'string') return `${start}>${escaped(content)}</${name}>\n`;
  let children = '';
  for (const [childName, child] of content) {
    const elements = 'length' in child ? child : [child];
    for (const element of elements) children += written(childName, element, prefix, `${indent}   `);
  }
  return `${start}>\n${children}${indent}</${name}>\n`;
}

export function xmlStart(family: Family, header: FileHeader): string {
  const { prefix, namespace, root, header: headerName, list } = goldenCopy[family];
  const start =
    header.deltaStart === null
      ? ''
      : `    <${prefix}:DeltaStart>${header.deltaStart}</${prefix}:DeltaStart>\n`;
  return (
    `<?xml version="1.0" encoding="UTF-8"?><${prefix}:${root} xmlns:${prefix}="${namespace}" ${golden}>\n` +
    `  <${prefix}:${headerName}>\n` +
    `    <${prefix}:ContentDate>${header.contentDate}</${prefix}:ContentDate>\n` +
    `    <${prefix}:FileContent>${header.fileContent}</${prefix}:FileContent>\n${start}` +
    `    <${prefix}:RecordCount>${header.recordCount}</${prefix}:RecordCount>\n` +
    `  </${prefix}:${headerName}>\n<${prefix}:${list}>\n`
  );
}

export function xmlRecord(family: Family, record: TreeElement): string {
  const { prefix, record: name } = goldenCopy[family];
  return written(name, record, prefix, '');
}

export function xmlEnd(family: Family): string {
  const { prefix, root, list } = goldenCopy[family];
  return `</${prefix}:${list}>\n</${prefix}:${root}>\n`;
}
