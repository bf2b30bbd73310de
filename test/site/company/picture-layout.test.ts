/** Tests where the picture of ownership puts its cards: each shown company once, without overlaps. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Group, type OwnershipAnswer } from '../../../src/site/client/company/group.ts';
import { outlineLayout } from '../../../src/site/client/company/outline-layout.ts';
import { boxOf, card, neighbour, type Places } from '../../../src/site/client/company/places.ts';
import { companiesMax, Openness, schemeOf } from '../../../src/site/client/company/scheme.ts';
import { treeLayout } from '../../../src/site/client/company/tree-layout.ts';

const layouts = { tree: treeLayout, outline: outlineLayout } as const;
const direct = 'IS_DIRECTLY_CONSOLIDATED_BY';
const ultimate = 'IS_ULTIMATELY_CONSOLIDATED_BY';
const types = [direct, ultimate, 'IS_FUND-MANAGED_BY', 'IS_INTERNATIONAL_BRANCH_OF'] as const;

type Pair = readonly [child: number, parent: number, type: (typeof types)[number]];

function groupOf(size: number, pairs: readonly Pair[], missing: OwnershipAnswer['missing'] = []): Group {
  const group = new Group();
  const below = { owned: 0, fund: 0, branch: 0 };
  const nodes = Array.from({ length: size }, (_, n) => ({
    lei: String(n),
    name: `Company ${n}`,
    country: 'DE',
    status: 'ACTIVE',
    below,
  }));
  const edges = pairs.map(([child, parent, type]) => ({
    child: String(child),
    parent: String(parent),
    type,
  }));
  group.add({ lei: '0', nodes, edges, missing });
  return group;
}

/** Rectangles of one size: no two overlap. */
function overlaps({ companies, more, notes }: Places): string[] {
  const cards = [...companies, ...more, ...notes].toSorted((a, b) => a.y - b.y);
  return cards.flatMap((a, index) => {
    const near = cards.slice(index + 1).filter((b) => b.y < a.y + card.height);
    return near.filter((b) => Math.abs(a.x - b.x) < card.width).map((b) => `${a.key} and ${b.key}`);
  });
}

const anyGroup = fc.record({
  pairs: fc.array(fc.tuple(fc.nat(29), fc.nat(29), fc.constantFrom(...types)), { maxLength: 60 }),
  open: fc.array(fc.nat(29), { maxLength: 8 }),
  shown: fc.constantFrom(1, 3, 20),
});

describe.each(['tree', 'outline'] as const)('the %s', (shape) => {
  test('of any group, circles included, shows each company once, without overlapping cards', () => {
    fc.assert(
      fc.property(anyGroup, ({ pairs, open, shown }) => {
        const group = groupOf(30, pairs);
        const openness = new Openness();
        for (const lei of [0, ...open]) openness.open(String(lei), shown);
        const scheme = schemeOf(group, openness, '0');
        const places = layouts[shape](group, scheme);
        const leis = places.companies.map(({ lei }) => lei);
        expect(new Set(leis).size).toBe(leis.length);
        expect(leis.length).toBe(scheme.count);
        expect(overlaps(places)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('has parents above, children below, and funds and branches under their own headings', () => {
    const openness = new Openness();
    openness.open('0', 20);
    const group = groupOf(6, [
      [0, 1, direct],
      [1, 2, direct],
      [0, 2, ultimate],
      [3, 0, direct],
      [4, 0, 'IS_FUND-MANAGED_BY'],
      [5, 0, 'IS_INTERNATIONAL_BRANCH_OF'],
    ]);
    const { companies, headings, lines } = layouts[shape](group, schemeOf(group, openness, '0'));
    const y = (lei: string) => companies.find((each) => each.lei === lei)?.y ?? Number.NaN;
    expect(y('2')).toBeLessThan(y('1'));
    expect(y('1')).toBeLessThan(y('0'));
    for (const below of ['3', '4', '5']) expect(y(below)).toBeGreaterThan(y('0'));
    expect(headings.map(({ text }) => text)).toEqual(['Funds', 'Branches']);
    // The direct parents lead to the ultimate one, so it has no line of its own.
    expect(lines.filter(({ style }) => style === 'ultimate')).toEqual([]);
  });

  test('says why there is no parent', () => {
    const exception = { reasons: ['NATURAL_PERSONS'], references: [] };
    const group = groupOf(1, [], [{ lei: '0', direct: exception, ultimate: exception }]);
    const { notes, companies } = layouts[shape](group, schemeOf(group, new Openness(), '0'));
    expect(notes.map(({ text }) => text)).toEqual([
      'No parent is reported: natural persons own it, not a company.',
    ]);
    expect(notes[0]?.y).toBeLessThan(companies[0]?.y ?? 0);
  });

  test('of 5,000 children shows a thousand companies at most, and says how many are left', () => {
    const pairs = Array.from({ length: 5_000 }, (_, n): Pair => [n + 1, 0, direct]);
    const group = groupOf(5_001, pairs);
    const openness = new Openness();
    openness.open('0', companiesMax);
    const scheme = schemeOf(group, openness, '0');
    const places = layouts[shape](group, scheme);
    expect(places.companies).toHaveLength(companiesMax);
    expect(places.notes.map(({ text }) => text)).toEqual([
      '4,001 more are not in the picture. The list has all of them.',
    ]);
    expect(overlaps(places)).toEqual([]);
    const { width, height } = boxOf(places);
    if (shape === 'tree') expect(width / height).toBeWithin(0.8, 2.5);
  });
});

describe('an arrow key', () => {
  const cards = [
    { key: 'middle', x: 0, y: 0 },
    { key: 'above', x: 40, y: -100 },
    { key: 'far above', x: 0, y: -300 },
    { key: 'right', x: 200, y: 10 },
    { key: 'below right', x: 150, y: 100 },
  ];
  test.each([
    ['up', 'above'],
    ['down', 'below right'],
    ['right', 'right'],
    ['left', undefined],
  ] as const)('%s moves to the nearest card in its direction', (direction, key) => {
    expect(neighbour(cards, { x: 0, y: 0 }, direction)?.key).toBe(key);
  });
});
