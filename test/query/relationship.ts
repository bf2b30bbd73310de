/** Relationship records with what matters to a question said. */
import type { Relationship, RelationshipRecord } from '../../src/lei/relationship.ts';

export function relationship(
  start: string,
  end: string,
  { type = 'IS_DIRECTLY_CONSOLIDATED_BY', status = 'ACTIVE', updated = '2024-01-01T00:00:00Z' } = {},
): RelationshipRecord {
  const nothing = { sources: null, documents: null, reference: null };
  const registration: Relationship['registration'] = {
    // Whatever the registration says, RelationshipStatus alone decides.
    status: 'LAPSED',
    initialRegistrationDate: null,
    lastUpdateDate: updated,
    nextRenewalDate: null,
    managingLou: null,
  };
  const rest = { periods: [], qualifiers: [], quantifiers: [], validation: nothing, registration };
  return { start, end, relationship: { type, status, ...rest } };
}
