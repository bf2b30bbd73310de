/**
 * Starts the real service over the bundled sample: state, query threads, publications and HTTP on its own port. It
 * loads the sample once per test run, and gives each service a copy of the data folder.
 */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openState } from '../../src/accounts/open-state.ts';
import { readConfig } from '../../src/config.ts';
import type { Publications } from '../../src/http/publication-texts.ts';
import { loadSample } from '../../src/load-sample.ts';
import { runLoader } from '../../src/loader/command/run-loader.ts';
import { loadRequest } from '../../src/loader/load-request.ts';
import { createLog } from '../../src/log/log.ts';
import { layout } from '../../src/publication/layout.ts';
import { movePointer } from '../../src/publication/pointer.ts';
import { startService } from '../../src/serve/main.ts';
import { inspectInProcess } from '../../src/serve/swap/inspect-publication.ts';
import { sharedFolder, temporaryFolder } from './folders.ts';
import { lentThreads } from './lent-threads.ts';
import { watchForKeys } from './logs-hold-no-key.ts';
import { servedHere } from './served-here.ts';

const sampleFolder = join(import.meta.dir, '..', '..', 'data', 'sample');

/** A data folder in which the bundled sample is active. Copy it; do not change it. */
const sampleData = () => sharedFolder('sample', fillSample);

async function fillSample(folder: string): Promise<void> {
  const files = readdirSync(sampleFolder)
    .filter((name) => !name.endsWith('.md'))
    .map((name) => join(sampleFolder, name));
  const request = loadRequest({ dataDir: folder, maxBadRows: 0.001 }, files);
  const { manifest } = await runLoader({ ...request, sample: true }, {});
  movePointer(layout(folder), manifest.id, new Date(), null);
}

export interface TestService {
  readonly baseUrl: string;
  readonly port: number;
  readonly dataDir: string;
  readonly publications: Publications;
  /** The address of the admin server; '' for none. */
  readonly admin: string;
  /** The lines of the log so far. */
  logText(): Promise<string>;
  fetch(path: string, init?: BunFetchRequestInit): Promise<Response>;
  stop(): Promise<void>;
}

export interface TestServiceOptions {
  /** Settings as environment variables. By default LEI_PORT is 0, limits are off, and no sample is loaded. */
  readonly environment?: Readonly<Record<string, string>>;
  /** A data folder to serve instead of a copy of the sample. */
  readonly dataDir?: string;
  /** Whether a process inspects each publication first: for data that may be damaged. The query threads always do. */
  readonly inspects?: boolean;
  /** Whether its query threads are lent (lent-threads.ts), as they are by default, or its own. */
  readonly lends?: boolean;
}

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const dataDir = options.dataDir ?? (await copiedSample());
  const { config, faults } = readConfig({
    LEI_PORT: '0',
    LEI_DATA_DIR: dataDir,
    LEI_FRONTS: '1',
    LEI_WORKERS: '1',
    LEI_LIMITS: 'off',
    LEI_SAMPLE: 'off',
    ...options.environment,
  });
  if (faults.length > 0) throw new Error(faults.join(' '));
  const logPath = join(temporaryFolder('log'), 'service.log');
  const log = createLog(config.logLevel, { path: logPath });
  servedHere.begin(dataDir);
  const service = await startService(config, {
    log,
    openState,
    loadSample: (publications, aborted) => loadSample({ config, publications, aborted, log }),
    inspect: options.inspects === true ? inspectInProcess(dataDir) : async () => null,
    ...(options.lends !== false && { spawn: lentThreads(config) }),
  });
  await service.ready;
  const baseUrl = service.url;
  const logText = async () => {
    await log.flush();
    return readFileSync(logPath, 'utf8');
  };
  return {
    baseUrl,
    port: Number(new URL(baseUrl).port),
    dataDir,
    publications: service.publications,
    admin: service.admin ?? '',
    logText,
    fetch: (path, init) => fetch(`${baseUrl}${path}`, init),
    async stop() {
      await service.stop();
      servedHere.end(dataDir);
      const text = await logText();
      watchForKeys(() => text);
    },
  };
}

/** A separate data folder in which the bundled sample is active. */
export async function copiedSample(): Promise<string> {
  const copy = temporaryFolder('data');
  await copySample(copy);
  return copy;
}

/** Makes a folder a data folder in which the bundled sample is active. */
export async function copySample(dataDir: string): Promise<void> {
  cpSync(await sampleData(), dataDir, { recursive: true });
}
