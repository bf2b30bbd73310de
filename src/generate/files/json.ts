/** Writes the JSON form: the XML tree with text under `$` and attributes under `@`, indented by four spaces. */
import { type Family, goldenCopy } from '../../lei/golden-copy.ts';
import type { TreeElement } from './tree.ts';

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
