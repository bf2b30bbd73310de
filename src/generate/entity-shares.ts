/** The shares of GLEIF's golden copy in level 1: how often each category, status, year and kind of event occurs. */
import { Chooser } from './random.ts';

export type Category =
  | 'GENERAL'
  | 'BRANCH'
  | 'FUND'
  | 'SOLE_PROPRIETOR'
  | 'RESIDENT_GOVERNMENT_ENTITY'
  | 'INTERNATIONAL_ORGANIZATION';

export const categories = new Chooser<Category>([
  ['GENERAL', 93.3],
  ['FUND', 2.6],
  ['SOLE_PROPRIETOR', 3.8],
  ['RESIDENT_GOVERNMENT_ENTITY', 0.22],
  ['BRANCH', 0.05],
  ['INTERNATIONAL_ORGANIZATION', 0.003],
]);
/** Registration statuses of all other entities. */
export const statuses = new Chooser([
  ['ISSUED', 60.3],
  ['LAPSED', 33.1],
  ['RETIRED', 4.7],
  ['DUPLICATE', 0.55],
  ['ANNULLED', 0.5],
  ['MERGED', 0.6],
  ['PENDING_TRANSFER', 0.15],
  ['PENDING_ARCHIVAL', 0.1],
]);
/** Registration statuses of entities that other records name: alive ones. */
export const liveStatuses = new Chooser([
  ['ISSUED', 72],
  ['LAPSED', 28],
]);
/** Years of first registration: waves at the start of reporting duties, then steady growth. */
export const registrationYears = new Chooser<number>([
  [2012, 2],
  [2013, 5],
  [2014, 7],
  [2015, 5],
  [2016, 5],
  [2017, 12],
  [2018, 9],
  [2019, 6],
  [2020, 6],
  [2021, 7],
  [2022, 7],
  [2023, 7],
  [2024, 8],
  [2025, 8],
  [2026, 6],
]);
export const corroborations = new Chooser([
  ['FULLY_CORROBORATED', 90],
  ['PARTIALLY_CORROBORATED', 4],
  ['ENTITY_SUPPLIED_ONLY', 5.5],
  ['PENDING', 0.5],
]);
export const conformities = new Chooser<string | null>([
  ['CONFORMING', 66],
  ['NON_CONFORMING', 30],
  ['NOT_APPLICABLE', 3],
  [null, 1],
]);
export const eventTypes = new Chooser([
  ['CHANGE_LEGAL_NAME', 30],
  ['CHANGE_LEGAL_ADDRESS', 26],
  ['CHANGE_HQ_ADDRESS', 26],
  ['CHANGE_LEGAL_FORM', 8],
  ['CHANGE_OTHER_NAMES', 3],
  ['MERGERS_AND_ACQUISITIONS', 3],
  ['LIQUIDATION', 2],
  ['BANKRUPTCY', 0.7],
  ['DISSOLUTION', 1],
  ['DEMERGER', 0.3],
]);
export const otherNameTypes = new Chooser([
  ['PREVIOUS_LEGAL_NAME', 60],
  ['TRADING_OR_OPERATING_NAME', 32],
  ['ALTERNATIVE_LANGUAGE_LEGAL_NAME', 8],
]);
export const governmentLevels = [
  'CENTRAL_GOVERNMENT',
  'STATE_GOVERNMENT',
  'LOCAL_GOVERNMENT',
  'SOCIAL_SECURITY',
];
