/** The end that every build comes to: sealed, or thrown away. */
import type { Layout } from '../../publication/layout.ts';
import type { Built } from '../build/build.ts';
import type { LoadOutcome } from '../load-request.ts';
import { type Described, describeBuild } from './describe.ts';
import type { Reading } from './read-rows.ts';
import { discard, explainWriteFailure, seal } from './staging.ts';

type Known = Omit<Described, 'reading' | 'built'>;

/**
 * Runs a build in its staged folder, then describes and seals it. Where anything fails, the folder is removed.
 * @param build builds and verifies
 */
export async function sealBuild(
  layout: Layout,
  known: Known,
  build: () => Promise<{ reading: Reading; built: Built }>,
): Promise<LoadOutcome> {
  try {
    const { reading, built } = await build();
    const manifest = await describeBuild(layout, { ...known, reading, built });
    seal(layout, manifest);
    const { rows, rejected, superseded, deleted } = reading;
    return { manifest, rows, rejected, superseded, deleted };
  } catch (error) {
    const reason = explainWriteFailure(layout, error);
    discard(layout, known.id);
    throw reason;
  }
}
