/** The contract that every {@link PublicationSource} keeps. */
import { expect, test } from 'bun:test';
import type { PublicationSource } from '../../src/ports/publication-source.ts';

/** A source with two available publications, before any was active. */
export interface SourceUnderTest {
  readonly source: PublicationSource;
  readonly ids: readonly [string, string];
  /** Makes the pointer unreadable. */
  readonly damage: () => void;
  /** Makes moving the pointer impossible. */
  readonly refuseWriting: () => void;
}

const noon = new Date('2026-10-05T12:00:00Z');
const oneSecondLater = '2026-10-05T12:00:01Z';

export function publicationSourceContract(name: string, make: () => SourceUnderTest): void {
  test(`${name} names nothing before the first activation`, () => {
    expect(make().source.pointer()).toBeNull();
  });

  test(`${name} returns the latest activation together with the one before`, () => {
    const { source, ids } = make();
    const first = source.movePointer(ids[0], noon, null);
    expect(first).toEqual({ id: ids[0], activatedAt: '2026-10-05T12:00:00Z', previous: [] });
    const second = source.movePointer(ids[1], noon, first);
    expect(source.pointer()).toEqual(second);
    expect(second.previous).toEqual([{ id: ids[0], activatedAt: first.activatedAt }]);
  });

  test(`${name} gives each activation a later second, even if the clock stands still or goes back`, () => {
    const { source, ids } = make();
    const first = source.movePointer(ids[0], noon, null);
    const past = new Date(noon.getTime() - 86_400_000);
    expect(source.movePointer(ids[0], noon, first).activatedAt).toBe(oneSecondLater);
    expect(source.movePointer(ids[0], past, first).activatedAt).toBe(oneSecondLater);
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

  test(`${name} throws if the pointer can't be read, and can move it again`, () => {
    const { source, ids, damage } = make();
    source.movePointer(ids[0], noon, null);
    damage();
    expect(() => source.pointer()).toThrow();
    source.movePointer(ids[1], noon, null);
    expect(source.pointer()?.id).toBe(ids[1]);
  });

  test(`${name} keeps its pointer if it can't write another`, () => {
    const { source, ids, refuseWriting } = make();
    const first = source.movePointer(ids[0], noon, null);
    refuseWriting();
    expect(() => source.movePointer(ids[1], noon, first)).toThrow();
    expect(source.pointer()).toEqual(first);
  });
}
