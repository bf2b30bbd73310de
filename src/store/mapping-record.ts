/** What identifiers map to a company, as the environment holds it: one slot a kind, values separated by tabs. */
import { fieldSeparator, pack, packedToJson, slotSeparator, unpack } from './packing.ts';

/** In slot order. The ISIN slot holds the count, then the first ones. */
export const mappingKinds = ['bic', 'mic', 'gem', 'qcc', 'ocid', 'isin'] as const;
export type MappingKind = (typeof mappingKinds)[number];

/** How many ISINs a company shows. */
export const isinsShownMax = 20;

const nothing = slotSeparator.repeat(mappingKinds.length - 1);

/** The slot of one kind. `values` ascending and distinct; of ISINs the first are enough beside their `count`. */
export function packMappingSlot(kind: MappingKind, values: readonly string[], count = values.length): string {
  if (count === 0) return '';
  if (kind !== 'isin') return values.map(pack).join(fieldSeparator);
  return [String(count), ...values.slice(0, isinsShownMax).map(pack)].join(fieldSeparator);
}

/** The packed slots of a company's mappings, in the order of {@link mappingKinds}. */
export function mappingSlots(stored: string | undefined): string[] {
  return (stored ?? nothing).split(slotSeparator);
}

/** Null where nothing is left to store. */
export function joinMappingSlots(slots: readonly string[]): string | null {
  const stored = slots.join(slotSeparator);
  return stored === nothing ? null : stored;
}

export function mappingSlot(stored: string | undefined, kind: MappingKind): string {
  return mappingSlots(stored)[mappingKinds.indexOf(kind)] ?? '';
}

export interface RenderedMappings {
  /** JSON of Mappings. */
  readonly json: string;
  readonly hasBic: boolean;
  readonly hasMic: boolean;
  readonly hasGem: boolean;
}

const noMappings: RenderedMappings = {
  json: '{"bic":[],"mic":[],"gem":[],"qcc":[],"ocid":[],"isin":{"count":0,"first":[]}}',
  hasBic: false,
  hasMic: false,
  hasGem: false,
};

export function renderMappings(stored: string | undefined): RenderedMappings {
  if (stored === undefined) return noMappings;
  const [bic = '', mic = '', gem = '', qcc = '', ocid = '', isin = ''] = stored.split(slotSeparator);
  return {
    json: `{"bic":${valuesJson(bic)},"mic":${valuesJson(mic)},"gem":${valuesJson(gem)},"qcc":${valuesJson(qcc)},"ocid":${valuesJson(ocid)},"isin":${isinJson(isin)}}`,
    hasBic: bic !== '',
    hasMic: mic !== '',
    hasGem: gem !== '',
  };
}

function valuesJson(packed: string): string {
  if (packed === '') return '[]';
  if (!packed.includes(fieldSeparator)) return `[${packedToJson(packed)}]`;
  return `[${packed.split(fieldSeparator).map(packedToJson).join(',')}]`;
}

function isinJson(packed: string): string {
  if (packed === '') return '{"count":0,"first":[]}';
  const [count = '0', ...first] = packed.split(fieldSeparator);
  return `{"count":${count},"first":[${first.map(packedToJson).join(',')}]}`;
}

/** The company's BICs, for the search index. */
export function bicsOf(stored: string | undefined): string[] {
  const packed = mappingSlot(stored, 'bic');
  return packed === '' ? [] : packed.split(fieldSeparator).map((bic) => unpack(bic) ?? '');
}
