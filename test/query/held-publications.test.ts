import { describe, expect, test } from 'bun:test';
import { holdPublications } from '../../src/query/held-publications.ts';
import { queryLimits } from '../../src/query/limits.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { memoryPublication } from '../support/memory-publication.ts';

/** More companies than an inspection reads as samples. */
const companies = Array.from({ length: 600 }, (_, index) => ({
  lei: `LEI${index + 1}`,
  name: `Name ${index}`,
}));

/** Publications by their id, and which of them are open. */
function holding(publicationOf: (id: string) => PublicationReader) {
  const open: string[] = [];
  const held = holdPublications(async (id) => {
    open.push(id);
    return {
      ...publicationOf(id),
      async close() {
        open.splice(open.indexOf(id), 1);
      },
    };
  });
  return { held, open };
}

const sound = (id: string) => memoryPublication({ id, companies });

/** Publications whose tables contradict each other, as in a damaged environment. */
const damaged: Readonly<Record<string, (whole: PublicationReader) => Partial<PublicationReader>>> = {
  'a company that its directory does not know': (whole) => ({
    find: (lei) => (lei === 'LEI1' ? null : whole.find(lei)),
  }),
  'a company that its directory takes for another': (whole) => ({
    find: (lei) => whole.find(lei === 'LEI1' ? 'LEI2' : lei),
  }),
  'a company without its record': (whole) => ({
    company: (entity) => (entity === 1 ? null : whole.company(entity)),
  }),
  'a record of another company': (whole) => ({
    company: (entity) => whole.company(entity === 1 ? 2 : entity),
  }),
  'relationships that can not be read': () => ({ relationships: unreadable }),
  'exceptions that can not be read': () => ({ exceptions: unreadable }),
  'an index that can not be read': () => ({
    search: {
      search: unreadable,
      all: unreadable,
      withWords: unreadable,
      withInitials: unreadable,
      weightOf: unreadable,
      shareIn: unreadable,
      suggest: unreadable,
    },
  }),
};

function unreadable(): never {
  throw new Error('It is damaged.');
}

describe('a query thread', () => {
  test('holds a publication until it is told to close it, and opens it once', async () => {
    const { held, open } = holding(sound);
    expect(await held.open('one')).toBeNull();
    expect(await held.open('one')).toBeNull();
    expect(await held.open('two')).toBeNull();
    expect(open).toEqual(['one', 'two']);
    await held.close('one');
    expect(open).toEqual(['two']);
    expect([...held.byId.keys()]).toEqual(['two']);
    await held.closeAll();
    expect(open).toEqual([]);
  });

  test('holds a bounded number of publications, and names them when it is full', async () => {
    const { held, open } = holding(sound);
    for (let count = 1; count <= queryLimits.heldPublicationsMax; count++) {
      expect(await held.open(`number-${count}`)).toBeNull();
    }
    expect(await held.open('one-more')).toContain(`number-${queryLimits.heldPublicationsMax}`);
    expect(open).not.toContain('one-more');
  });

  for (const [what, damage] of Object.entries(damaged)) {
    test(`does not hold a publication with ${what}, and does not keep it open`, async () => {
      const { held, open } = holding((id) => {
        const whole = sound(id);
        return { ...whole, ...damage(whole) };
      });
      expect(await held.open('damaged')).toContain('damaged');
      expect(held.byId.has('damaged')).toBe(false);
      expect(open).toEqual([]);
    });
  }
});
