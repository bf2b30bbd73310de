/** Defines the identifiers in paths: how each is checked, and how the description shows it. */
import {
  byKind,
  type IdentifierKind,
  identifierKinds,
  mappingTable,
  type PathParameter,
} from '../../lei/identifier-kinds.ts';
import { checkLei, type IdentifierCheck } from '../../lei/identifiers.ts';

export type Subject = 'lei' | IdentifierKind;

interface CheckedParameter extends PathParameter {
  check(text: string): IdentifierCheck;
}

export const subjects: Readonly<Record<Subject, CheckedParameter>> = {
  lei: {
    check: checkLei,
    description:
      'Legal Entity Identifier (ISO 17442): 18 letters or digits and two check digits (ISO 7064 MOD 97-10), in any case.',
    pattern: '^[A-Za-z0-9]{18}[0-9]{2}$',
    example: '213800E5Z6QRDSMZMK84',
  },
  ...byKind(identifierKinds, (kind) => ({
    ...mappingTable[kind].lookUp.inPath,
    check: mappingTable[kind].check,
  })),
};

export function isSubject(name: string | undefined): name is Subject {
  return name !== undefined && name in subjects;
}
