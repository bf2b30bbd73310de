/** The implementations of the state ports that the contracts are run over. */
import type { State } from '../../src/ports/state.ts';
import { layout } from '../../src/publication/layout.ts';
import { openLocalState } from '../../src/state/local-state.ts';
import { temporaryFolder } from '../support/folders.ts';

/** One installation; every opening is of the same accounts, counts and secrets. */
export interface Installation {
  open(): Promise<State>;
}

export const installations: Readonly<Record<string, () => Installation>> = {
  'the local state of a service': () => local('lmdb'),
  'the local state of a command': () => local('caller'),
};

function local(waiting: 'lmdb' | 'caller'): Installation {
  const paths = layout(temporaryFolder('contract'));
  return { open: async () => openLocalState(paths, waiting) };
}
