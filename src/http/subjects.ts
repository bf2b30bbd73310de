/** Defines the identifiers in requests: how each is checked, and how the description shows it. */
import {
  byKind,
  type IdentifierKind,
  type IdentifierParameter,
  identifierKinds,
  type MappingKind,
  mappingKinds,
  mappingTable,
} from '../lei/identifier-kinds.ts';
import { checkLei, type IdentifierCheck } from '../lei/identifiers.ts';

/** The kinds of identifiers in paths. */
export type Subject = 'lei' | IdentifierKind;

interface CheckedParameter extends IdentifierParameter {
  check(text: string): IdentifierCheck;
}

/** All kinds of identifiers, as lists in queries take them. */
export const checkedIdentifiers: Readonly<Record<'lei' | MappingKind, CheckedParameter>> = {
  lei: {
    check: checkLei,
    description:
      'Legal Entity Identifier (ISO 17442): 18 letters or digits and two check digits (ISO 7064 MOD 97-10), in any case.',
    pattern: '^[A-Za-z0-9]{18}[0-9]{2}$',
    example: '213800E5Z6QRDSMZMK84',
  },
  ...byKind(mappingKinds, (kind) => ({ ...mappingTable[kind].parameter, check: mappingTable[kind].check })),
};

export const subjects: Readonly<Record<Subject, CheckedParameter>> = byKind(
  ['lei', ...identifierKinds],
  (kind) => checkedIdentifiers[kind],
);

export function isSubject(name: string | undefined): name is Subject {
  return name !== undefined && name in subjects;
}
