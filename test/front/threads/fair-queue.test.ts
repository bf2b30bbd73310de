import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { FairQueue } from '../../../src/front/threads/fair-queue.ts';
import { type PendingQuestion, settle, unavailable } from '../../../src/front/threads/inbox.ts';
import { threadLimits } from '../../../src/front/threads/limits.ts';

const perClient = threadLimits.waitingQuestionsPerClientMax;
const plenty = 1_000_000;

function question(clientId: string, number = 0): PendingQuestion {
  const asked = { kind: 'company' as const, lei: String(number) };
  return { publicationId: 'p', clientId, question: asked, deadline: 0, deaths: 0, take: () => undefined };
}

/** A queue to which these clients have added one question for each time they are named. */
function queueOf(clients: string): FairQueue {
  const queue = new FairQueue();
  for (const client of clients) queue.add(question(client));
  return queue;
}

function turns(queue: FairQueue, count = plenty): string {
  let order = '';
  for (let turn = 0; turn < count; turn++) {
    const next = queue.next();
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
    for (let newcomer = 0; newcomer < threadLimits.newcomersInRowMax + 1; newcomer++) {
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
    const queue = new FairQueue();
    const given = [question('a', 1), question('a', 2)];
    for (const each of given) queue.add(each);
    for (const each of given.slice(0, 1)) settle(each, unavailable.timeout);
    expect(queue.waiting()).toEqual(given.slice(1));
    expect(queue.next()).toBe(given[1] ?? null);
    expect(queue.next()).toBeNull();
  });

  test('has a bound per client, and when it is full room for first questions only', () => {
    const queue = queueOf('a'.repeat(perClient));
    expect([queue.hasRoomFor('a', plenty), queue.hasRoomFor('b', plenty)]).toEqual([false, true]);
    queue.add(question('b'));
    const [full, twice] = [perClient + 1, (perClient + 1) / 2];
    expect([queue.hasRoomFor('b', full), queue.hasRoomFor('c', full)]).toEqual([false, true]);
    expect(queue.hasRoomFor('c', twice)).toBe(false);
  });

  test('returns every question once, those of a client in order, and delays a client by hardly more than one turn of each other (property)', () => {
    const clients = ['a', 'b', 'c', 'd', 'e', 'f'];
    const step = fc.oneof(fc.constantFrom(...clients), fc.constant('next'));
    fc.assert(
      fc.property(fc.array(step, { size: 'large' }), (steps) => {
        const queue = new FairQueue();
        const waiting = new Map<string, { number: number; since: number }[]>();
        let turn = 0;
        const serve = (): boolean => {
          const next = queue.next();
          if (next === null) return false;
          turn++;
          const own = waiting.get(next.clientId)?.shift();
          expect(next.question).toMatchObject({ lei: String(own?.number) });
          const [following] = waiting.get(next.clientId) ?? [];
          expect(turn - (own?.since ?? 0)).toBeLessThanOrEqual(clients.length + 1);
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
