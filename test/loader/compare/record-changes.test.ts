import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isDayName } from '../../../src/lei/written-days.ts';
import {
  companyChanges,
  type FieldChange,
  publishedMembers,
  recordChanges,
} from '../../../src/loader/compare/field-changes.ts';
import { packCompany } from '../../../src/store/company-record.ts';
import { record } from '../../store/random-records.ts';

/** Published members are compared without the days of their times, because earlier versions did not record them. */
function withoutDays(changes: readonly FieldChange[]): unknown {
  const others = changes.filter(({ field }) => !isDayName(field.split('.').at(-1) ?? ''));
  return JSON.parse(JSON.stringify(others), (name, value) => (isDayName(name) ? undefined : value));
}

describe('a company record', () => {
  test('differs from another in the fields in which their published members differ', () => {
    fc.assert(
      fc.property(
        record,
        record,
        fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
        (before, other, taken) => {
          const draws = taken.values();
          const some = <Part extends object>(from: Part, to: Part): Part =>
            Object.assign(
              { ...from },
              ...Object.entries(to).map(([name, value]) => draws.next().value && { [name]: value }),
            );
          const after = {
            ...before,
            entity: some(before.entity, other.entity),
            registration: some(before.registration, other.registration),
            validation: some(before.validation, other.validation),
          };
          const [known, now] = [packCompany(before), packCompany(after)];
          expect(withoutDays(recordChanges(known, now))).toEqual(
            companyChanges(publishedMembers(known), publishedMembers(now)),
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});
