/** The contract that every {@link PublicationReader} keeps, over one small publication. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { noticesOf } from '../../src/lei/notices.ts';
import type { ChangesSinceQuery } from '../../src/protocol/ext-questions.ts';
import { JsonBytes } from '../../src/protocol/json-bytes.ts';
import {
  type EntityNumber,
  type PublicationReader,
  summaryFields,
} from '../../src/store/publication-reader.ts';
import { jsonIn } from '../support/answers.ts';

/** The content of the publication. The mother has a BIC, a direct exception and two changes. */
export const mother = 1;
/** A child of the mother with another name, and with the manager as its fund manager. */
export const daughter = 2;
/** Known from a relationship only. */
export const manager = 3;
export const unknown = 9;

export interface ReaderContract {
  readonly lei: (n: number) => string;
  readonly bic: string;
  /** All ISINs of the mother, more than her record shows. */
  readonly isins: readonly string[];
  readonly names: { readonly mother: string; readonly daughter: string; readonly formerDaughter: string };
  readonly open: () => Promise<PublicationReader>;
}

export function publicationReaderContract(
  name: string,
  { lei, bic, isins, names, open }: ReaderContract,
): void {
  describe(name, () => {
    let reader: PublicationReader;
    beforeAll(async () => {
      reader = await open();
    });
    afterAll(() => reader.close());
    const entityOf = (n: number): EntityNumber => reader.find(lei(n))?.entity ?? 0;
    const json = (put: (out: JsonBytes) => void): unknown => {
      const out = new JsonBytes();
      put(out);
      return JSON.parse(out.toString());
    };

    test('finds companies with and without a record, and no others', () => {
      expect(reader.find(lei(mother))).toMatchObject({ hasRecord: true });
      expect(reader.find(lei(manager))).toMatchObject({ hasRecord: false });
      expect(reader.find(lei(unknown))).toBeNull();
    });

    test('numbers entities from 1 to the last one', () => {
      const numbers = [mother, daughter, manager].map(entityOf);
      expect(numbers.toSorted()).toEqual([1, 2, 3]);
      expect(reader.lastEntity).toBe(3);
    });

    test('renders a company with the notices of its identifiers, and no notice if there is no record', () => {
      const company = reader.company(entityOf(mother));
      expect(company?.notices).toBe(noticesOf(['bic']));
      expect(jsonIn(company?.json ?? new Uint8Array())).toMatchObject({ lei: lei(mother) });
      expect(reader.company(entityOf(daughter))?.notices).toBe(noticesOf([]));
      expect(reader.company(entityOf(manager))).toBeNull();
    });

    test('summarises a company', () => {
      const summary = reader.summary(entityOf(daughter));
      expect([summary.lei, summary.name]).toEqual([lei(daughter), names.daughter]);
      const shown = summaryFields.map((field) => json((out) => summary.put(out, field)));
      const dates = ['2024-01-01T00:00:00Z', '2014-01-01T00:00:00Z'];
      expect(shown).toEqual([
        lei(daughter),
        names.daughter,
        'GB',
        'GB',
        'LONDON',
        'ACTIVE',
        'ISSUED',
        ...dates,
      ]);
    });

    test('summarises a company without a record by its LEI and nulls', () => {
      const summary = reader.summary(entityOf(manager));
      expect([summary.lei, summary.name]).toEqual([lei(manager), null]);
      const shown = summaryFields.map((field) => json((out) => summary.put(out, field)));
      expect(shown).toEqual([lei(manager), ...summaryFields.slice(1).map(() => null)]);
      expect(() => json((out) => summary.putName(out, 0))).toThrow();
    });

    test('returns the name of a name number, and the legal name for an unknown number', () => {
      const summary = reader.summary(entityOf(daughter));
      const legal = { name: names.daughter, type: 'LEGAL_NAME' };
      const former = { name: names.formerDaughter, type: 'PREVIOUS_LEGAL_NAME' };
      const shown = [0, 1, 2].map((number) => json((out) => summary.putName(out, number)));
      expect(shown).toEqual([legal, former, legal]);
    });

    test('lists relationships at both ends, and writes each as its JSON', () => {
      const ofMother = reader.relationships(entityOf(mother));
      expect([ofMother.asStart.length, ofMother.asEnd.length]).toEqual([0, 1]);
      const types = reader.relationships(entityOf(daughter)).asStart.map(({ type }) => type);
      expect(types.toSorted()).toEqual(['IS_DIRECTLY_CONSOLIDATED_BY', 'IS_FUND-MANAGED_BY']);
      const [stored] = reader.relationships(entityOf(mother)).asEnd;
      expect(stored).toMatchObject({
        start: entityOf(daughter),
        end: entityOf(mother),
        type: 'IS_DIRECTLY_CONSOLIDATED_BY',
        status: 'ACTIVE',
        lastUpdateDate: '2024-01-01T00:00:00Z',
      });
      expect(json((out) => stored?.put(out))).toEqual(JSON.parse(stored?.json ?? ''));
    });

    test('returns the exceptions of a company as JSON, null if it has none', () => {
      const { direct, ultimate } = reader.exceptions(entityOf(mother));
      expect(JSON.parse(direct ?? '')).toMatchObject({ reasons: ['NO_LEI'] });
      expect(ultimate).toBeNull();
      expect(reader.exceptions(entityOf(manager))).toEqual({ direct: null, ultimate: null });
    });

    test('finds the companies of an identifier, and none for an unknown one', () => {
      expect(reader.entitiesOf('bic', bic)).toEqual([entityOf(mother)]);
      expect(reader.entitiesOf('bic', 'NONEGB2LXXX')).toEqual([]);
      expect(reader.micListEntry('XETR')).toBeNull();
    });

    test('returns all ISINs in pages, ascending; a company without ISINs has an empty page', () => {
      const seen: string[] = [];
      let after: string | null = null;
      do {
        const page = reader.isins(entityOf(mother), after, 10);
        expect(page?.total).toBe(isins.length);
        seen.push(...(page?.items ?? []));
        after = page?.next ?? null;
      } while (after !== null);
      expect(seen).toEqual(isins.toSorted());
      expect(reader.isins(entityOf(daughter), null, 10)).toEqual({ total: 0, items: [], next: null });
    });

    test('returns changes in pages: an empty one if nothing changed, null if the LEI never existed', () => {
      const first = reader.changes(lei(mother), null, 1);
      expect(first?.items).toHaveLength(1);
      const second = reader.changes(lei(mother), first?.next ?? null, 1);
      expect([second?.items.length, second?.next]).toEqual([1, null]);
      expect(second?.items[0]).not.toBe(first?.items[0]);
      expect(reader.changes(lei(daughter), null, 1)).toEqual({ items: [], next: null });
      expect(reader.changes(lei(unknown), null, 1)).toBeNull();
    });

    test('returns the changes since a time, oldest first, in pages, filtered by company and kind', () => {
      const all = { since: '2024-05-01T00:00:00Z', leis: [], kinds: [], after: null, limit: 10 };
      const told = (query: Partial<ChangesSinceQuery>) => {
        const changes = reader.changesSince({ ...all, ...query });
        if (changes.outcome === 'refused') return changes.detail;
        return [changes.items.map((item) => JSON.parse(item)), changes.next] as const;
      };
      const [second, third] = ['2024-05-02T00:00:00Z', '2024-05-03T00:00:00Z'].map((at) =>
        expect.objectContaining({ lei: lei(mother), kind: 'change', at }),
      );
      expect(told({})).toEqual([[second, third], null]);
      expect(told({ since: '2024-05-02T00:00:00Z' })).toEqual([[third], null]);
      expect(told({ since: '2024-05-03T00:00:00Z' })).toEqual([[], null]);
      expect(told({ leis: [lei(mother)], kinds: ['created', 'change'] })).toEqual([[second, third], null]);
      expect(told({ leis: [lei(daughter), lei(unknown)] })).toEqual([[], null]);
      expect(told({ kinds: ['removed'] })).toEqual([[], null]);
      const [items, next] = told({ limit: 1 });
      expect(items).toEqual([second]);
      expect(told({ limit: 1, after: String(next) })).toEqual([[third], null]);
      expect(told({ since: '2024-04-30T00:00:00Z' })).toStartWith('is too old: ');
    });

    test('lists the countries of its companies', () => {
      expect([...reader.countries]).toEqual(['GB']);
    });
  });
}
