/**
 * Loads files in the process of the test, as the loader does in its own: for tests that need a publication and test
 * neither the command nor the loader's process.
 */
import { mkdirSync } from 'node:fs';
import { readConfig } from '../../src/config.ts';
import {
  loadRequest as defaultRequest,
  type LoadOutcome,
  type LoadReport,
  type LoadRequest,
} from '../../src/loader/load-request.ts';
import { runPipeline } from '../../src/loader/process/pipeline.ts';
import { layout } from '../../src/publication/layout.ts';
import { movePointer, readPointer } from '../../src/publication/pointer.ts';

/** The request of a load unless a test changes it. */
export function loadRequest(
  dataDir: string,
  files: readonly string[],
  more: Partial<LoadRequest> = {},
): LoadRequest {
  return { ...defaultRequest(readConfig({ LEI_DATA_DIR: dataDir }).config, files), ...more };
}

/** Loads files and activates the publication. @throws as the loader does */
export async function loadHere(
  dataDir: string,
  files: readonly string[],
  request: Partial<LoadRequest> = {},
  report: Partial<LoadReport> = {},
): Promise<LoadOutcome> {
  mkdirSync(dataDir, { recursive: true });
  const outcome = await runPipeline(loadRequest(dataDir, files, request), {
    progress: () => undefined,
    message: () => undefined,
    ...report,
  });
  const paths = layout(dataDir);
  movePointer(paths, outcome.manifest.id, new Date(), readPointer(paths));
  return outcome;
}
