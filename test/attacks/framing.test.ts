import { expect, test } from 'bun:test';
import { isInstalled } from '../support/programs.ts';
import { attack } from './framing.ts';

const canRun = [isInstalled('haproxy'), isInstalled('nginx')].includes(true);

test.skipIf(!canRun)(
  'odd framing behind a proxy that shares connections never affects another client',
  async () => {
    const { tried, wrong } = await attack.run({ rounds: 15, seed: 1, say: () => undefined });
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThan(100);
  },
  60_000,
);
