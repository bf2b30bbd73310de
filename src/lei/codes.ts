/** Code lists: countries, categories and registration statuses. */
import { quoted } from '../terminal-text.ts';

/** The 249 officially assigned codes of ISO 3166-1 alpha-2. (Records also use XK, which is not among them.) */
export const countryCodes: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY ' +
    'BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK ' +
    'FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR ' +
    'IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ' +
    'ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM ' +
    'PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF ' +
    'TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
);

/**
 * Why a country can't be asked for, as the predicate of a sentence; null if it can.
 * @param used those of the legal addresses of the data set: GLEIF also uses codes outside the ISO list, such as XK
 */
export function refusedCountry(country: string, used: ReadonlySet<string>): string | null {
  if (countryCodes.has(country) || used.has(country)) return null;
  return (
    `must be a country code of ISO 3166-1 alpha-2, such as DE or US; ${quoted(country)} is not one, ` +
    'and no legal address in this data set uses it'
  );
}

/** EntityStatus of a level 1 record, LEI-CDF 3.1; NULL is published too. */
export const entityStatuses = ['ACTIVE', 'INACTIVE', 'NULL'] as const;

/** EntityCategory of a level 1 record, LEI-CDF 3.1. */
export const entityCategories = [
  'GENERAL',
  'BRANCH',
  'FUND',
  'SOLE_PROPRIETOR',
  'RESIDENT_GOVERNMENT_ENTITY',
  'INTERNATIONAL_ORGANIZATION',
] as const;

/** RegistrationStatus of a level 1 record, LEI-CDF 3.1 (MERGED is deprecated there but still published). */
export const registrationStatuses = [
  'PENDING_VALIDATION',
  'ISSUED',
  'DUPLICATE',
  'LAPSED',
  'MERGED',
  'RETIRED',
  'ANNULLED',
  'CANCELLED',
  'TRANSFERRED',
  'PENDING_TRANSFER',
  'PENDING_ARCHIVAL',
] as const;
