import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type OpenConnection, toEnd } from '../../../src/serve/connections/choose.ts';

const connection = (descriptor: number, peer: string, idleMs: number): OpenConnection => ({
  descriptor,
  peer,
  idleMs,
});
const numbers = (chosen: readonly OpenConnection[]) => chosen.map(({ descriptor }) => descriptor);

describe('the connections to close when descriptors run out', () => {
  test('are those idle longest', () => {
    const open = [connection(1, 'a', 5_000), connection(2, 'b', 9_000), connection(3, 'c', 10)];
    expect(numbers(toEnd(open, 1, 1_000))).toEqual([2]);
    expect(numbers(toEnd(open, 2, 1_000))).toEqual([2, 1]);
  });

  test('are those of the peers with the most, if too few are idle', () => {
    const crowd = Array.from({ length: 5 }, (_, i) => connection(10 + i, 'crowd', 100 - i));
    const open = [connection(1, 'idle', 5_000), connection(2, 'honest', 999), ...crowd];
    expect(numbers(toEnd(open, 4, 1_000))).toEqual([1, 10, 11, 12]);
    expect(numbers(toEnd(open, 5, 1_000))).toEqual([1, 10, 11, 12, 13]);
  });

  test('are as many as needed, each once; no peer keeps two while another loses its only one', () => {
    const open = fc.uniqueArray(
      fc.record({ descriptor: fc.nat(500), peer: fc.constantFrom('a', 'b', 'c'), idleMs: fc.nat(900) }),
      { selector: ({ descriptor }) => descriptor, maxLength: 40 },
    );
    fc.assert(
      fc.property(open, fc.nat(50), (connections, count) => {
        const chosen = new Set(numbers(toEnd(connections, count, 1_000)));
        expect(chosen.size).toBe(Math.min(count, connections.length));
        const left = connections.filter(({ descriptor }) => !chosen.has(descriptor));
        const leftOf = (peer: string) => left.filter((one) => one.peer === peer).length;
        const lost = new Set(connections.map(({ peer }) => peer).filter((peer) => leftOf(peer) === 0));
        if (lost.size > 0) expect(Math.max(0, ...['a', 'b', 'c'].map(leftOf))).toBeLessThanOrEqual(1);
      }),
    );
  });
});
