/** The identifiers that stand in paths: how each is checked, and how the description shows it. */
import { type IdentifierKind, mappingTable } from '../../lei/identifier-kinds.ts';
import { checkLei, type IdentifierCheck } from '../../lei/identifiers.ts';

export type Subject = 'lei' | IdentifierKind;

interface PathParameter {
  check(text: string): IdentifierCheck;
  readonly description: string;
  /** Takes either case, as the check does; check digits are beyond a pattern. */
  readonly pattern: string;
  readonly example: string;
}

export const subjects: Readonly<Record<Subject, PathParameter>> = {
  lei: {
    check: checkLei,
    description:
      'Legal Entity Identifier (ISO 17442): 18 letters or digits and two check digits (ISO 7064 MOD 97-10), in any case.',
    pattern: '^[A-Za-z0-9]{18}[0-9]{2}$',
    example: '213800E5Z6QRDSMZMK84',
  },
  bic: {
    check: mappingTable.bic.check,
    description:
      'Business Identifier Code (ISO 9362), 8 or 11 characters, in any case. The 8-character form and its 11-character form with `XXX` find the same.',
    pattern: '^[A-Za-z0-9]{4}[A-Za-z]{2}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$',
    example: 'DEUTDEFF',
  },
  isin: {
    check: mappingTable.isin.check,
    description:
      'International Securities Identification Number (ISO 6166) with its check digit, in any case.',
    pattern: '^[A-Za-z]{2}[A-Za-z0-9]{9}[0-9]$',
    example: 'DE0005140008',
  },
  mic: {
    check: mappingTable.mic.check,
    description: 'Market Identifier Code (ISO 10383), operating or segment, in any case.',
    pattern: '^[A-Za-z0-9]{4}$',
    example: 'XETR',
  },
  gem: {
    check: mappingTable.gem.check,
    description: 'Global Energy Monitor entity id: E1 and eleven digits.',
    pattern: '^[Ee]1[0-9]{11}$',
    example: 'E100000001096',
  },
  qcc: {
    check: mappingTable.qcc.check,
    description:
      'Qichacha code: Q, the two letters of a country, seven digits or letters other than I, L, O and Z, in any case.',
    pattern: '^[Qq][A-Za-z]{2}[0-9A-HJKMNP-Ya-hjkmnp-y]{7}$',
    example: 'QSGM6KFM4H',
  },
};

export function isSubject(name: string | undefined): name is Subject {
  return name !== undefined && name in subjects;
}
