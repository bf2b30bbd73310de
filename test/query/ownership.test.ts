/** Tests getOwnership and getChildren over publications in memory: order, circles, limits, pages. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { answerQuestion } from '../../src/query/answer-question.ts';
import { queryLimits } from '../../src/query/limits.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { jsonIn } from '../support/answers.ts';
import { memoryPublication } from '../support/memory-publication.ts';
import { dataOf, id, leiOf, numbers, ultimate, world } from './world.ts';

interface Graph {
  readonly nodes: readonly {
    readonly lei: string;
    readonly name: string | null;
    readonly status: string | null;
  }[];
  readonly edges: readonly { readonly parent: string; readonly child: string; readonly type: string }[];
  readonly exceptions: readonly object[];
  readonly truncated: boolean;
}

type Directions = readonly ('up' | 'down')[];

function ownership(publication: PublicationReader, n: number, directions: Directions, depth: number): Graph {
  return dataOf(publication, { kind: 'ownership', lei: leiOf(n), directions, depth });
}

describe('ownership', () => {
  //  0 ← 1 ← 2 ← 3,  1 ← 4,  3's ultimate parent is 0, 5 once owned 2
  const family = world(6, [
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 1],
    [3, 0, ultimate],
    [2, 5, { status: 'INACTIVE' }],
  ]);

  test('returns the nearest first, each direction separately, as deep as asked', () => {
    expect(numbers(ownership(family, 2, ['up'], 1))).toEqual([2, 1]);
    expect(numbers(ownership(family, 2, ['up'], 10))).toEqual([2, 1, 0]);
    expect(numbers(ownership(family, 1, ['down'], 1))).toEqual([1, 2, 4]);
    // 4 is a child of a parent of 2: neither above nor below it.
    expect(numbers(ownership(family, 2, ['up', 'down'], 2))).toEqual([2, 1, 3, 0]);
  });

  test('says whether there are companies beyond the depth, in the directions asked', () => {
    const truncated = (n: number, directions: Directions, depth: number) =>
      ownership(family, n, directions, depth).truncated;
    expect([truncated(2, ['up'], 1), truncated(2, ['up'], 2)]).toEqual([true, false]);
    expect([truncated(0, ['down'], 1), truncated(0, ['down'], 2)]).toEqual([true, false]);
    expect([truncated(1, ['up'], 1), truncated(1, ['up', 'down'], 1)]).toEqual([false, true]);
    const circle = world(2, [
      [0, 1],
      [1, 0],
    ]);
    expect(ownership(circle, 0, ['up', 'down'], 1).truncated).toBe(false);
  });

  test('has the reporting exceptions of its companies', () => {
    const exception = (category: string) => ({ category, reasons: ['NO_LEI'], references: ['x'] });
    const [direct, ultimate] = [exception('DIRECT'), exception('ULTIMATE')];
    const known = memoryPublication({
      id,
      companies: [
        { lei: leiOf(0), name: 'A', direct: JSON.stringify(direct), ultimate: JSON.stringify(ultimate) },
        { lei: leiOf(1), name: 'B', ultimate: JSON.stringify(ultimate) },
      ],
    });
    const { exceptions } = ownership(known, 0, ['up'], 1);
    expect(exceptions).toEqual([
      { lei: leiOf(0), ...direct },
      { lei: leiOf(0), ...ultimate },
    ]);
  });

  test('names each relationship between them, and its type', () => {
    const { edges, truncated } = ownership(family, 0, ['down'], 2);
    const said = edges.map(({ parent, child, type }) =>
      [parent.at(-1), child.at(-1), type.slice(3, 11)].join(' '),
    );
    expect(said.toSorted()).toEqual(['0 1 DIRECTLY', '0 3 ULTIMATE', '1 2 DIRECTLY', '1 4 DIRECTLY']);
    expect(truncated).toBe(false);
  });

  test('shows a circle of owners once', () => {
    const circle = world(3, [
      [0, 1],
      [1, 2],
      [2, 0],
      [0, 0],
    ]);
    const { nodes, edges } = ownership(circle, 0, ['up', 'down'], 10);
    expect([nodes.length, edges.length]).toEqual([3, 4]);
  });

  test('has a thousand nodes at most, and says whether there are more', () => {
    const most = queryLimits.ownershipNodesMax;
    for (const [children, truncated] of [
      [most - 1, false],
      [most, true],
    ] as const) {
      const star = world(
        children + 1,
        Array.from({ length: children }, (_, n) => [n + 1, 0] as const),
      );
      const graph = ownership(star, 0, ['down'], 3);
      expect([graph.nodes.length, graph.edges.length, graph.truncated]).toEqual([most, most - 1, truncated]);
    }
  });

  test('of any graph has distinct nodes and edges, whose ends are nodes reachable from the start', () => {
    const size = 8;
    const company = fc.nat(size - 1);
    const pair = fc.tuple(company, company);
    fc.assert(
      fc.property(fc.uniqueArray(pair, { maxLength: 20, selector: String }), company, (pairs, start) => {
        const graph = ownership(world(size, pairs), start, ['down'], 10);
        const shown = numbers(graph);
        expect(new Set(shown).size).toBe(shown.length);
        expect(new Set(graph.edges.map((edge) => JSON.stringify(edge))).size).toBe(graph.edges.length);
        const below = new Set([start]);
        for (const parent of below)
          for (const [child, owner] of pairs) if (owner === parent) below.add(child);
        expect(shown.toSorted()).toEqual([...below].toSorted());
        const expected = pairs.filter(([, owner]) => below.has(owner));
        expect(graph.edges.length).toBe(expected.length);
      }),
    );
  });

  test('of a company without a record is not found', () => {
    const known = memoryPublication({ id, companies: [{ lei: leiOf(0), name: null }] });
    for (const lei of [leiOf(0), leiOf(1)])
      expect(answerQuestion(known, { kind: 'ownership', lei, directions: ['up'], depth: 1 })).toEqual({
        outcome: 'not-found',
      });
  });
});

describe('children', () => {
  const parent = 0;
  const publication = world(9, [
    [5, parent],
    [4, parent],
    [3, parent],
    [2, parent, { status: 'INACTIVE' }],
    [1, parent, ultimate],
    [6, parent, { type: 'IS_FUND-MANAGED_BY' }],
    [7, parent, { type: 'IS_SUBFUND_OF' }],
    [8, parent, { type: 'IS_INTERNATIONAL_BRANCH_OF' }],
  ]);
  const page = (of: 'direct' | 'ultimate' | 'fund' | 'branch', after: string | null, limit: number) => {
    const answer = answerQuestion(publication, {
      kind: 'children',
      lei: leiOf(parent),
      of,
      after,
      limit,
    });
    if (answer.outcome !== 'found') throw new Error(answer.outcome);
    const { items, total } = JSON.parse(JSON.stringify(jsonIn(answer.data)));
    return { leis: items.map(({ lei }: { lei: string }) => Number(lei.slice(7))), total, next: answer.next };
  };

  test('of each kind are the current ones', () => {
    const kinds = ['direct', 'ultimate', 'fund', 'branch'] as const;
    expect(kinds.map((kind) => page(kind, null, 20).leis)).toEqual([[3, 4, 5], [1], [6, 7], [8]]);
  });

  test('are sorted by name, then by LEI, and pages of any size together are all of them', () => {
    for (const limit of [1, 2, 3, 4]) {
      const seen: number[] = [];
      let after: string | null = null;
      do {
        const { leis, total, next } = page('direct', after, limit);
        expect(total).toBe(3);
        seen.push(...leis);
        after = next;
      } while (after !== null);
      expect(seen).toEqual([3, 4, 5]);
    }
  });
});
