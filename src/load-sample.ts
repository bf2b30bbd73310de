/** Loads the bundled sample of real records on a first start without a publication. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { reasonOf } from './errors.ts';
import { timestamp } from './lei/dates.ts';
import { isLoadRunning } from './loader/command/load-lock.ts';
import { runLoader } from './loader/command/run-loader.ts';
import { type LoadOutcome, type LoadProgress, loadRequest } from './loader/load-request.ts';
import { layout } from './publication/layout.ts';
import { hasOwnPublication } from './publication/own-data.ts';
import type { ServicePublications } from './serve/swap/publications.ts';

const sampleFolder = join(import.meta.dir, '..', 'data', 'sample');

interface SampleLoad {
  readonly config: Config;
  readonly publications: ServicePublications;
  /** Ends the load; nothing changes then. */
  readonly aborted: AbortSignal;
  /** Receives sentences for the operator. */
  readonly log: { info(message: string): void; warn(message: string): void };
}

/**
 * Builds a publication from the sample and activates it, unless the operator has their own data.
 * @throws if that fails; nothing has changed then
 */
export async function loadSample({ config, publications, aborted, log }: SampleLoad): Promise<void> {
  if (hasOwnPublication(layout(config.dataDir))) {
    log.warn(
      'No publication in the data folder can be served (the log says why), and the bundled sample does not replace data of your own. Load the data again with lei update or lei load FILE…, or restore the missing files.',
    );
    return;
  }
  log.info(
    'There is no publication yet. Loading the bundled SAMPLE: a few thousand real records, not the full data.',
  );
  const startedAt = timestamp(new Date());
  const report = (phase: string, progress: number) =>
    publications.reportLoading({ phase, progress, startedAt }, null);
  try {
    const request = { ...loadRequest(config, sampleFiles()), sample: true };
    const listener = { progress: ({ phase, progress }: LoadProgress) => report(phase, progress) };
    const activate = async ({ manifest }: LoadOutcome) => {
      const failure = await publications.activate(manifest.id);
      if (failure !== null) throw new Error(failure.message);
      // Tell the service before the lock ends: a reported load without a lock counts as killed.
      publications.reportLoading(null, null, 'ok');
    };
    await runLoader(request, listener, { besideService: false, signal: aborted, activate });
    log.info(
      'The sample is loaded. Load the full data with lei update, or your own files with lei load FILE…',
    );
  } catch (error) {
    // Another load holds the lock, so this one has not begun.
    if (isLoadRunning(error)) throw error;
    const failure = { at: timestamp(new Date()), phase: 'sample', message: reasonOf(error) };
    publications.reportLoading(null, failure, 'failed');
    throw error;
  }
}

/** All files of the folder but its README. */
function sampleFiles(): string[] {
  return readdirSync(sampleFolder)
    .filter((name) => !name.endsWith('.md'))
    .map((name) => join(sampleFolder, name));
}
