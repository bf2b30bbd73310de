/** Tests the questions of a company's page over publications in memory: the group around it, and its parents. */
import { describe, expect, test } from 'bun:test';
import type { GroupAnswer, ParentsAnswer } from '../../src/lei/page-answers.ts';
import { answerQuestion } from '../../src/query/answer-question.ts';
import { queryLimits } from '../../src/query/limits.ts';
import { answerParents } from '../../src/query/relationships.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { atOnce } from '../../src/store/steps.ts';
import { dataIn, dataOf, leiOf, numbers, ultimate, world } from './world.ts';

const fund = { type: 'IS_FUND-MANAGED_BY' };
const branch = { type: 'IS_INTERNATIONAL_BRANCH_OF' };
const former = { status: 'INACTIVE' };

function group(
  publication: PublicationReader,
  n: number,
  ...directions: readonly ('up' | 'down')[]
): GroupAnswer {
  return dataOf(publication, { kind: 'group', lei: leiOf(n), directions });
}

function parents(publication: PublicationReader, n: number): ParentsAnswer {
  return dataIn(atOnce(answerParents(publication, leiOf(n))));
}

describe('the group around a company', () => {
  //  0 ← 1 ← 2; 3 is a fund of 1 and 4 its branch; 5 has 1 as its ultimate parent and no direct one
  const family = world(8, [
    [1, 0],
    [2, 1],
    [2, 0, ultimate],
    [3, 1, fund],
    [4, 1, branch],
    [5, 1, ultimate],
    [6, 2],
    [6, 1, ultimate],
    [7, 1, former],
  ]);

  test('is everybody above, and one level of children, funds and branches below', () => {
    expect(numbers(group(family, 1, 'up')).toSorted()).toEqual([0, 1]);
    expect(numbers(group(family, 1, 'up', 'down')).toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(numbers(group(family, 2, 'up', 'down')).toSorted()).toEqual([0, 1, 2, 6]);
  });

  test('counts what is below each company; companies without a direct parent count below their ultimate one', () => {
    const { nodes } = group(family, 1, 'down');
    expect(nodes[0]?.below).toEqual({ owned: 2, fund: 1, branch: 1 });
    expect(nodes.find(({ lei }) => lei === leiOf(2))?.below).toEqual({ owned: 1, fund: 0, branch: 0 });
  });

  test('says why a parent is missing, unless there is one', () => {
    const why = (category: string) => JSON.stringify({ category, reasons: ['NO_LEI'], references: [] });
    const silent = world(2, [[1, 0]], {
      0: { direct: why('D'), ultimate: why('U') },
      1: { direct: why('never shown'), ultimate: why('U') },
    });
    const { missing } = group(silent, 1, 'up', 'down');
    expect(
      missing.map(({ lei, direct, ultimate: last }) => [lei, direct?.reasons ?? null, last?.reasons ?? null]),
    ).toEqual([
      [leiOf(1), null, ['NO_LEI']],
      [leiOf(0), ['NO_LEI'], ['NO_LEI']],
    ]);
  });

  test('leaves room for funds and branches, and says that there are more', () => {
    const most = queryLimits.ownershipNodesMax;
    const pairs = Array.from({ length: most + 50 }, (_, n) => [n + 1, 0] as const);
    const apart = [fund, branch].map((traits, n) => [most + 51 + n, 0, traits] as const);
    const many = group(world(most + 53, [...pairs, ...apart]), 0, 'down');
    expect(many.nodes).toHaveLength(most);
    expect(many.truncated).toBe(true);
    expect(many.edges.map(({ type }) => type)).toContain('IS_INTERNATIONAL_BRANCH_OF');
    expect(many.nodes[0]?.below).toEqual({ owned: most + 50, fund: 1, branch: 1 });
  });

  test('ends in a circle of owners', () => {
    const circle = world(3, [
      [0, 1],
      [1, 2],
      [2, 0],
    ]);
    expect(numbers(group(circle, 0, 'up', 'down')).toSorted()).toEqual([0, 1, 2]);
  });

  test('of an unknown company is not found', () => {
    const answer = answerQuestion(family, { kind: 'group', lei: leiOf(99), directions: ['up'] });
    expect(answer).toEqual({ outcome: 'not-found' });
  });
});

describe('the parents of a company', () => {
  const family = world(5, [
    [1, 0],
    [2, 1],
    [3, 1, fund],
    [1, 4, fund],
    [1, 2, former],
  ]);

  test('are those that `relationships` shows, with the number of children of each kind instead of their lists', () => {
    const whole = answerQuestion(family, { kind: 'relationships', lei: leiOf(1) });
    if (whole.outcome !== 'found') throw new Error(whole.outcome);
    const { directChildren, ultimateChildren, others, ...same } = JSON.parse(
      Buffer.from(whole.data).toString(),
    );
    const { others: above, children, ...shown } = parents(family, 1);
    expect(shown).toMatchObject(same);
    // The page also says where a parent is and what state it is in.
    const facts = { country: 'DE', entityStatus: 'ACTIVE', registrationStatus: 'ISSUED' };
    expect(shown.directParent).toEqual({ ...same.directParent, ...facts });
    expect(children).toEqual({
      direct: directChildren.total,
      ultimate: ultimateChildren.total,
      fund: 1,
      branch: 0,
    });
    expect(above.map(({ lei }) => lei)).toEqual([leiOf(2), leiOf(4)]);
    expect(others).toHaveLength(3);
  });

  test('of an unknown company are not found', () => {
    expect(atOnce(answerParents(family, leiOf(99)))).toEqual({ outcome: 'not-found' });
  });
});
