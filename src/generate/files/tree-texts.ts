/**
 * Writes a tree of elements as XML, with namespaces, headers and indentation as in the golden copy, or as JSON: with text
 * under `$` and attributes under `@`, indented by four spaces.
 */
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

function objectText({ attributes, content }: TreeElement, indent: string): string {
  const inner = `${indent}    `;
  const members = attributes.map(([name, value]) => `"@${name}": ${JSON.stringify(value)}`);
  if (typeof content === 'string') members.push(`"$": ${JSON.stringify(content)}`);
  else for (const [name, child] of content) members.push(`"${name}": ${childText(child, inner)}`);
  return `{\n${members.map((member) => inner + member).join(',\n')}\n${indent}}`;
}

function childText(child: TreeElement | readonly TreeElement[], indent: string): string {
  if (!('length' in child)) return objectText(child, indent);
  const inner = `${indent}    `;
  const items = child.map((item) => inner + objectText(item, inner)).join(',\n');
  return `[\n${items}\n${indent}]`;
}

export function jsonStart(family: Family): string {
  return `{"${goldenCopy[family].jsonList}":[\n`;
}

/** One record. All but the first begin with the comma that ends the one before. */
export function jsonRecord(family: Family, record: TreeElement, first: boolean): string {
  const item = { attributes: [], content: [[goldenCopy.rr.record, record]] } as const;
  const text = objectText(family === 'rr' ? item : record, '');
  return first ? text : `,\n${text}`;
}

export const jsonEnd = '\n]}\n';
