/** The contract that every {@link PublicationSource} keeps. */
import { expect, test } from 'bun:test';
import type { PublicationSource } from '../../src/ports/publication-source.ts';

/** A source with two available publications, before anything was announced. */
export interface SourceUnderTest {
  readonly source: PublicationSource;
  readonly ids: readonly [string, string];
  /** Makes the announcement unreadable. */
  readonly damage: () => void;
  /** Makes announcing impossible. */
  readonly refuseAnnouncements: () => void;
}

const noon = new Date('2026-10-05T12:00:00Z');
const oneSecondLater = '2026-10-05T12:00:01Z';

export function publicationSourceContract(name: string, make: () => SourceUnderTest): void {
  test(`${name} announces nothing before the first activation`, () => {
    expect(make().source.announced()).toBeNull();
  });

  test(`${name} returns the latest announcement together with the one before`, () => {
    const { source, ids } = make();
    const first = source.announce(ids[0], noon, null);
    expect(first).toEqual({ id: ids[0], activatedAt: '2026-10-05T12:00:00Z', previous: [] });
    const second = source.announce(ids[1], noon, first);
    expect(source.announced()).toEqual(second);
    expect(second.previous).toEqual([{ id: ids[0], activatedAt: first.activatedAt }]);
  });

  test(`${name} gives each activation a later second, even if the clock stands still or goes back`, () => {
    const { source, ids } = make();
    const first = source.announce(ids[0], noon, null);
    const past = new Date(noon.getTime() - 86_400_000);
    expect(source.announce(ids[0], noon, first).activatedAt).toBe(oneSecondLater);
    expect(source.announce(ids[0], past, first).activatedAt).toBe(oneSecondLater);
  });

  test(`${name} returns a publication with its manifest, as often as it is asked`, async () => {
    const { source, ids } = make();
    for (const id of [...ids, ids[0]]) {
      expect(await source.obtain(id)).toMatchObject({ outcome: 'sound', manifest: { id } });
    }
  });

  test(`${name} says why it can't return a publication that does not exist`, async () => {
    const id = '20991231T000000Z-ffffffff';
    const reading = await make().source.obtain(id);
    expect(reading).toMatchObject({ outcome: 'missing', message: expect.stringContaining(id) });
  });

  test(`${name} throws if the announcement can't be read, and can announce again`, () => {
    const { source, ids, damage } = make();
    source.announce(ids[0], noon, null);
    damage();
    expect(() => source.announced()).toThrow();
    source.announce(ids[1], noon, null);
    expect(source.announced()?.id).toBe(ids[1]);
  });

  test(`${name} keeps its announcement if it can't write another`, () => {
    const { source, ids, refuseAnnouncements } = make();
    const first = source.announce(ids[0], noon, null);
    refuseAnnouncements();
    expect(() => source.announce(ids[1], noon, first)).toThrow();
    expect(source.announced()).toEqual(first);
  });
}
