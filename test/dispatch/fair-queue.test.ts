import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ClientCosts } from '../../src/dispatch/costs.ts';
import { FairQueue } from '../../src/dispatch/fair-queue.ts';
import { type PendingQuestion, settle, unavailable } from '../../src/dispatch/inbox.ts';
import { lineLimits, threadLimits } from '../../src/dispatch/limits.ts';

const perClient = threadLimits.waitingQuestionsPerClientMax;
const plenty = 1_000_000;

function question(clientId: string, number = 0, expectedMs = 1): PendingQuestion {
  const asked = { kind: 'company' as const, lei: String(number) };
  const rest = { publicationId: 'p', clientMs: 0, deadline: 0, deaths: 0, take: () => undefined };
  return { ...rest, clientId, question: asked, expectedMs };
}

const anyRoom = () => true;

/** A queue at a time that stands still. */
function emptyQueue(): FairQueue {
  return new FairQueue(new ClientCosts(() => 0));
}

/** A queue to which these clients have added one question for each time they are named. */
function queueOf(clients: string): FairQueue {
  const queue = emptyQueue();
  for (const client of clients) queue.add(question(client));
  return queue;
}

function turns(queue: FairQueue, count = plenty): string {
  let order = '';
  for (let turn = 0; turn < count; turn++) {
    const next = queue.next(anyRoom);
    if (next === null) break;
    order += next.clientId;
  }
  return order;
}

describe('a fair queue', () => {
  test('serves everybody in spite of endless newcomers', () => {
    const queue = queueOf('aa');
    turns(queue, 1);
    let order = '';
    for (let newcomer = 0; newcomer < threadLimits.turnsByCostInRowMax + 1; newcomer++) {
      queue.add(question(String(newcomer)));
      order += turns(queue, 1);
    }
    expect(order).toContain('a');
  });

  test('serves clients in turn, however many questions one of them has', () => {
    const queue = queueOf('aaaabbc');
    expect([queue.length, turns(queue), queue.length]).toEqual([7, 'abcabaa', 0]);
  });

  test('serves a newcomer before a round over all others ends', () => {
    const queue = queueOf('aabbccddeeffgg');
    turns(queue, 7);
    queue.add(question('x'));
    expect(turns(queue, 1)).toBe('x');
  });

  test('lets a client wait for one question of each other at most, whatever ordinary clients have cost', () => {
    const cost = fc.double({ min: 1, max: 30, noNaN: true });
    const run = (own: number, ofOthers: number[]) => {
      const costs = new ClientCosts(() => 0);
      costs.add('own', own);
      for (const [index, ms] of ofOthers.entries()) costs.add(String(index), ms);
      const queue = new FairQueue(costs);
      for (const [index] of ofOthers.entries())
        for (let number = 0; number < 5; number++) queue.add(question(String(index), number));
      queue.add(question('own'));
      const order: string[] = [];
      while (order.at(-1) !== 'own') order.push(queue.next(anyRoom)?.clientId ?? 'own');
      expect(new Set(order).size).toBe(order.length);
    };
    fc.assert(fc.property(cost, fc.array(cost, { maxLength: 30 }), run));
  });

  test('serves those who ask cheap questions before those who ask dear ones, newcomers or not', () => {
    const queue = queueOf('aabb');
    for (const client of 'xyz') queue.add(question(client, 0, 50));
    queue.add(question('c'));
    expect(turns(queue)).toBe('abcabxyz');
  });

  test('remembers what a client has cost, and forgets it in time', () => {
    let now = 0;
    const costs = new ClientCosts(() => now);
    costs.add('dear', 1_000);
    const order = () => {
      const queue = new FairQueue(costs);
      for (const client of ['dear', 'cheap']) queue.add(question(client));
      return [queue.next(anyRoom)?.clientId, queue.next(anyRoom)?.clientId];
    };
    expect(order()).toEqual(['cheap', 'dear']);
    now = 20 * threadLimits.costHalvesMs;
    expect(order()).toEqual(['dear', 'cheap']);
  });

  test('passes over a question that no thread has room for, and serves it once there is room', () => {
    const queue = emptyQueue();
    queue.add(question('a', 0, 5));
    queue.add(question('b', 0, 9));
    const roomFor = (ms: number) => queue.next(({ expectedMs }) => expectedMs === ms)?.clientId;
    expect([roomFor(1), roomFor(9), roomFor(9), roomFor(5)]).toEqual([undefined, 'b', undefined, 'a']);
  });

  test('has time for what a client asks while the others, with as much each, leave some', () => {
    const queue = emptyQueue();
    const whole = lineLimits.questionTimeoutMs * threadLimits.plannedShareMax;
    expect(queue.hasTimeFor('a', 10 * whole, 1)).toBe(true);
    for (const client of 'bcd') queue.add(question(client, 0, whole));
    const hasTime = (ms: number, threads: number) => queue.hasTimeFor('a', ms, threads);
    expect([hasTime(whole / 4, 1), hasTime(whole / 3, 1), hasTime(whole / 3, 2)]).toEqual([
      true,
      false,
      true,
    ]);
    queue.add(question('a', 0, whole / 4));
    expect([hasTime(1, 1), queue.hasTimeFor('e', 1, 1)]).toEqual([false, true]);
  });

  test('treats a client that asks one question at a time as a newcomer only once per round', () => {
    const queue = queueOf('aaabbbcccddd');
    queue.add(question('x'));
    let order = '';
    while (queue.length > 0) {
      const turn = turns(queue, 1);
      order += turn;
      if (turn === 'x') queue.add(question('x'));
      if (order.length > 40) break;
    }
    // As many turns as the others have, until those have no more questions.
    expect(order.slice(0, 13).replaceAll(/[^x]/g, '').length).toBeLessThanOrEqual(4);
  });

  test('skips questions whose callers have given up', () => {
    const queue = emptyQueue();
    const given = [question('a', 1), question('a', 2)];
    for (const each of given) queue.add(each);
    for (const each of given.slice(0, 1)) settle(each, unavailable.timeout);
    expect(queue.waiting()).toEqual(given.slice(1));
    expect(queue.next(anyRoom)).toBe(given[1] ?? null);
    expect(queue.next(anyRoom)).toBeNull();
  });

  test('has a bound per client, and when it is full room for first questions only', () => {
    const queue = queueOf('a'.repeat(perClient));
    expect([queue.hasRoomFor('a', plenty), queue.hasRoomFor('b', plenty)]).toEqual([false, true]);
    queue.add(question('b'));
    const [full, twice] = [perClient + 1, (perClient + 1) / 2];
    expect([queue.hasRoomFor('b', full), queue.hasRoomFor('c', full)]).toEqual([false, true]);
    expect(queue.hasRoomFor('c', twice)).toBe(false);
  });

  test('returns every question once, those of a client in order, and lets none wait longer than the turns by cost allow (property)', () => {
    const clients = ['a', 'b', 'c', 'd', 'e', 'f'];
    const longest = clients.length * (threadLimits.turnsByCostInRowMax + 1);
    const step = fc.oneof(fc.constantFrom(...clients), fc.constant('next'));
    fc.assert(
      fc.property(fc.array(step, { size: 'large' }), (steps) => {
        const queue = emptyQueue();
        const waiting = new Map<string, { number: number; since: number }[]>();
        let turn = 0;
        const serve = (): boolean => {
          const next = queue.next(anyRoom);
          if (next === null) return false;
          turn++;
          const own = waiting.get(next.clientId)?.shift();
          expect(next.question).toMatchObject({ lei: String(own?.number) });
          const [following] = waiting.get(next.clientId) ?? [];
          expect(turn - (own?.since ?? 0)).toBeLessThanOrEqual(longest);
          if (following !== undefined) following.since = turn;
          return true;
        };
        steps.forEach((each, number) => {
          if (each === 'next') {
            serve();
            return;
          }
          const own = waiting.get(each) ?? [];
          waiting.set(each, [...own, { number, since: turn }]);
          queue.add(question(each, number));
        });
        while (serve());
        expect([...waiting.values()].flat()).toEqual([]);
      }),
    );
  });
});
