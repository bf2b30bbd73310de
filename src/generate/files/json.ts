/** Writes the JSON form: the XML tree with text under `$` and attributes under `@`, indented by four spaces. */
import { type Family, goldenCopy } from '../../lei/golden-copy.ts';
import type { Element } from './tree.ts';

function textValue(element: Element, indent: string): string {
  const inner = `${indent}    `;
  let members = '';
  for (const [key, value] of element.attributes) {
    if (value !== null) members += `${inner}"@${key}": ${JSON.stringify(value)},\n`;
  }
  return `{\n${members}${inner}"$": ${JSON.stringify(element.content)}\n${indent}}`;
}

function objectValue(element: Element, indent: string): string {
  if (typeof element.content === 'string') return textValue(element, indent);
  const inner = `${indent}    `;
  const members: string[] = [];
  for (const [key, value] of element.attributes) {
    if (value !== null) members.push(`${inner}"@${key}": ${JSON.stringify(value)}`);
  }
  for (const group of grouped(element.content)) members.push(inner + member(group, inner));
  return `{\n${members.join(',\n')}\n${indent}}`;
}

/** Groups children by name. The items of one list are adjacent in the tree. */
function grouped(children: readonly (Element | null)[]): Element[][] {
  const groups: Element[][] = [];
  for (const child of children) {
    if (child === null) continue;
    const last = groups.at(-1);
    if (last?.[0]?.name === child.name) last.push(child);
    else groups.push([child]);
  }
  return groups;
}

function member(group: readonly Element[], indent: string): string {
  const [first] = group;
  if (first === undefined) return '';
  if (!first.many) return `${JSON.stringify(first.name)}: ${objectValue(first, indent)}`;
  const inner = `${indent}    `;
  const items = group.map((element) => inner + objectValue(element, inner)).join(',\n');
  return `${JSON.stringify(first.name)}: [\n${items}\n${indent}]`;
}

export function jsonStart(family: Family): string {
  return `{"${goldenCopy[family].jsonList}":[\n`;
}

/** One record. All but the first begin with the comma that ends the one before. */
export function jsonRecord(family: Family, elements: readonly (Element | null)[], first: boolean): string {
  const record: Element = { name: goldenCopy.rr.record, attributes: [], content: elements, many: false };
  const value =
    family === 'rr'
      ? objectValue({ name: 'item', attributes: [], content: [record], many: false }, '')
      : objectValue(record, '');
  return first ? value : `,\n${value}`;
}

export const jsonEnd = '\n]}\n';
