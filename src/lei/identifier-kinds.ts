/**
 * The kinds of identifiers that GLEIF maps to LEIs: one row each, which every layer uses. A new kind needs a new row
 * here, its check in identifiers.ts, an example of its answer in api/examples/mappings.json and its pairs
 * in generate/mappings.ts.
 */
import {
  checkBic,
  checkGem,
  checkIsin,
  checkMic,
  checkOpenCorporatesId,
  checkQcc,
  type IdentifierCheck,
} from './identifiers.ts';

/** The text about the look-up operation of a kind in the description. */
interface LookUp {
  readonly summary: string;
  readonly description: string;
}

export interface IdentifierParameter {
  readonly description: string;
  /** Allows either case, as the check does; a pattern cannot check the check digits. */
  readonly pattern: string;
  readonly example: string;
}

interface MappingKindFacts {
  /** The name of one of them on pages. */
  readonly singular: string;
  /** The name of several of them in messages. */
  readonly plural: string;
  /** Checks and upper-cases an identifier that a user wrote. */
  readonly check: (text: string) => IdentifierCheck;
  /** The form of a checked identifier that a publication stores and an answer shows. */
  readonly canonical: (value: string) => string;
  /** Characters of the canonical form; null if they vary. */
  readonly width: number | null;
  /** Null if the kind has no operation of its own: then it is looked up with getIdentifiers only. */
  readonly lookUp: LookUp | null;
  /** How a request writes one of them. */
  readonly parameter: IdentifierParameter;
  /** Whether no name looks like one of them. */
  readonly unlikeNames: boolean;
  /** The slot of a company's identifiers in its packed mappings. Part of the format. */
  readonly slot: number;
  /** How many identifiers a company shows; null for all of them, without a count. */
  readonly shownMax: number | null;
  /** Describes a company's list; null if the plural is clear enough. */
  readonly listed: string | null;
  /** Name of the column beside `LEI` in the mapping file. */
  readonly column: string;
  /** Name of the mapping file in LEI_UPDATE_MAPPINGS and in the publisher's URLs. */
  readonly file: string;
  /** About how many pairs GLEIF publishes. */
  readonly usualCount: number;
  /**
   * The notice that the licence of the pairs requires wherever one is shown; null if it requires none.
   * @param date day of the mapping table, such as 2026-01-23
   */
  readonly notice: ((date: string) => string) | null;
}

const asGiven = (value: string) => value;
const bicWithoutBranch = 8;
const headOffice = 'XXX';

/** ISO 9362: a BIC of eight characters means the head office, as the branch code XXX does. */
function wholeBic(bic: string): string {
  return bic.length === bicWithoutBranch ? bic + headOffice : bic;
}

/** The eight characters that mean the same head office as a whole BIC; null if it is a branch's. */
export function shortBic(bic: string): string | null {
  return bic.endsWith(headOffice) ? bic.slice(0, bicWithoutBranch) : null;
}

const swiftNotice = (table: 'BIC' | 'MIC', address: string) => (date: string) =>
  `SWIFT © and database rights ${date}. All rights reserved. This Mapping Table has been developed by SWIFT. ` +
  `Any use of the Mapping Table, in whole or in part, is subject to the ${table}/LEI Mapping Table License ` +
  `Agreement as published with the Mapping Table available on GLEIF's website. ` +
  `For the latest ${table} information and updates, always refer to ${address}.`;

/** In the order in which answers, counts and the description list them. */
export const mappingTable = {
  bic: {
    singular: 'BIC',
    plural: 'BICs',
    check: checkBic,
    canonical: wholeBic,
    width: 11,
    lookUp: {
      summary: 'The companies behind a BIC',
      description:
        'The answer’s `bic` is the 11-character form. `meta.licenseNotice` reproduces SWIFT’s notice.',
    },
    parameter: {
      description:
        'Business Identifier Code (ISO 9362), 8 or 11 characters, in any case. The 8-character form and its 11-character form with `XXX` find the same.',
      pattern: '^[A-Za-z0-9]{4}[A-Za-z]{2}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$',
      example: 'DEUTDEFF',
    },
    unlikeNames: false,
    slot: 0,
    shownMax: null,
    listed: null,
    column: 'BIC',
    file: 'bic',
    usualCount: 39_350,
    notice: swiftNotice('BIC', 'www.swift.com/bic'),
  },
  isin: {
    singular: 'ISIN',
    plural: 'ISINs',
    check: checkIsin,
    canonical: asGiven,
    width: 12,
    lookUp: {
      summary: 'The issuers of a security',
      description: 'From GLEIF’s ISIN-to-LEI list.',
    },
    parameter: {
      description:
        'International Securities Identification Number (ISO 6166) with its check digit, in any case.',
      pattern: '^[A-Za-z]{2}[A-Za-z0-9]{9}[0-9]$',
      example: 'DE0005140008',
    },
    unlikeNames: true,
    slot: 5,
    shownMax: 20,
    listed: null,
    column: 'ISIN',
    file: 'isin',
    usualCount: 9_261_590,
    notice: null,
  },
  mic: {
    singular: 'MIC',
    plural: 'MICs',
    check: checkMic,
    canonical: asGiven,
    width: 4,
    lookUp: {
      summary: 'The companies behind a market',
      description:
        'A segment MIC resolves through its operating MIC if the ISO 10383 list was loaded; `operatingMic` shows it. `meta.licenseNotice` reproduces SWIFT’s notice.',
    },
    parameter: {
      description: 'Market Identifier Code (ISO 10383), operating or segment, in any case.',
      pattern: '^[A-Za-z0-9]{4}$',
      example: 'XETR',
    },
    unlikeNames: false,
    slot: 1,
    shownMax: null,
    listed: null,
    column: 'MIC',
    file: 'mic',
    usualCount: 1_024,
    notice: swiftNotice('MIC', 'https://www.iso20022.org/market-identifier-codes'),
  },
  gem: {
    singular: 'Global Energy Monitor id',
    plural: 'GEM identifiers',
    check: checkGem,
    canonical: asGiven,
    width: 13,
    lookUp: {
      summary: 'The companies behind a Global Energy Monitor entity',
      description: 'The pairs are published under CC BY 4.0; `meta.licenseNotice` says so.',
    },
    parameter: {
      description: 'Global Energy Monitor entity id: E1 and eleven digits.',
      pattern: '^[Ee]1[0-9]{11}$',
      example: 'E100000001096',
    },
    unlikeNames: true,
    slot: 2,
    shownMax: null,
    listed: null,
    column: 'GEM',
    file: 'gem',
    usualCount: 5_400,
    notice: () =>
      'GEM–LEI pairs © Global Energy Monitor, published under CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/).',
  },
  qcc: {
    singular: 'QCC code',
    plural: 'QCC identifiers',
    check: checkQcc,
    canonical: asGiven,
    width: 10,
    lookUp: {
      summary: 'The companies behind a Qichacha code',
      description: 'From GLEIF’s QCC-to-LEI list.',
    },
    parameter: {
      description:
        'Qichacha code: Q, the two letters of a country, seven digits or letters other than I, L, O and Z, in any case.',
      pattern: '^[Qq][A-Za-z]{2}[0-9A-HJKMNP-Ya-hjkmnp-y]{7}$',
      example: 'QSGM6KFM4H',
    },
    unlikeNames: true,
    slot: 3,
    shownMax: null,
    listed: null,
    column: 'QCC',
    file: 'qcc',
    usualCount: 1_912_288,
    notice: null,
  },
  ocid: {
    singular: 'OpenCorporates id',
    plural: 'OpenCorporates identifiers',
    check: checkOpenCorporatesId,
    canonical: asGiven,
    width: null,
    lookUp: null,
    parameter: {
      description:
        'OpenCorporates id: a jurisdiction, a slash and the number in its register, in any case. An address begins with it after `https://opencorporates.com/companies/`.',
      pattern: '^[A-Za-z]{2}(_[A-Za-z0-9]{1,3})?/\\S+$',
      example: 'gb/00102498',
    },
    unlikeNames: true,
    slot: 4,
    shownMax: null,
    listed: 'The OpenCorporates identifiers (jurisdiction/number) that are mapped to this LEI.',
    column: 'OpenCorporatesID',
    file: 'oc',
    usualCount: 1_529_589,
    notice: null,
  },
} as const satisfies Record<string, MappingKindFacts>;

type MappingTable = typeof mappingTable;
export type MappingKind = keyof MappingTable;
/** Those that have an operation of their own; their canonical forms have a fixed width. */
export type IdentifierKind = {
  [Kind in MappingKind]: MappingTable[Kind]['lookUp'] extends LookUp ? Kind : never;
}[MappingKind];

export const mappingKinds: readonly MappingKind[] = Object.keys(mappingTable).filter(isMappingKind);
export const identifierKinds: readonly IdentifierKind[] = mappingKinds.filter(isIdentifierKind);
/** In the order of a packed record's slots. */
export const kindsBySlot = mappingKinds.toSorted((a, b) => mappingTable[a].slot - mappingTable[b].slot);
/** ISINs first, as GLEIF lists its files. */
export const kindsByFile = mappingKinds.toSorted((a, b) => Number(b === 'isin') - Number(a === 'isin'));

export function isMappingKind(name: string): name is MappingKind {
  return Object.hasOwn(mappingTable, name);
}

export function isIdentifierKind(name: string): name is IdentifierKind {
  return isMappingKind(name) && mappingTable[name].lookUp !== null;
}

/** An object with one member for each kind. */
export function byKind<Kind extends string, Value>(
  kinds: readonly Kind[],
  of: (kind: Kind) => Value,
): Record<Kind, Value>;
export function byKind(kinds: readonly string[], of: (kind: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(kinds.map((kind) => [kind, of(kind)]));
}

const beforeOcid =
  /^\s*(?:(?:https?:\/\/)?(?:www\.)?opencorporates\.com\/companies\/|opencorporates[\s:#-]+)?/i;
const labels = byKind(mappingKinds, (kind) => new RegExp(`^\\s*${kind}[\\s:.#-]+`, 'i'));
const separators = /[\s.-]+/g;

/**
 * An identifier of a kind in a search text: the name of the kind may stand before it, and it may be in groups; an
 * OpenCorporates id may be an address.
 */
export function checkTyped(kind: MappingKind, text: string): IdentifierCheck {
  if (kind === 'ocid') return checkOpenCorporatesId(text.trimEnd().replace(beforeOcid, ''));
  return mappingTable[kind].check(text.replace(labels[kind], '').replace(separators, ''));
}
