/** Runs the short form of an attack as a test of the suite. */
import { expect, test } from 'bun:test';
import { type Attack, runInFolder } from './attack.ts';

interface Form {
  readonly rounds: number;
  readonly tried: number;
  /** Whether it may try more than that: how much depends on the speed of the machine. */
  readonly orMore?: boolean;
}

export function shortForm(attack: Attack, title: string, { rounds, tried, orMore = false }: Form): void {
  const run = async () => {
    const result = await runInFolder(attack, { rounds, seed: 1, say: () => undefined });
    expect(result.wrong).toEqual([]);
    expect(orMore ? Math.min(result.tried, tried) : result.tried).toBe(tried);
  };
  test(title, run);
}
