/** `lei serve`: runs the service until a signal ends it. */
import packageJson from '../../package.json' with { type: 'json' };
import { loadSample } from '../load-sample.ts';
import { createLog, type Log } from '../log/log.ts';
import type { OpenState } from '../ports/state.ts';
import { identityOf } from '../publication/files.ts';
import { type Service, startService } from '../serve/main.ts';
import { inspectInProcess } from '../serve/swap/inspect-publication.ts';
import { type Context, checkedConfig, command, readSettings, settingsChanged } from './frame.ts';
import { counted } from './result-texts.ts';
import { onHangup, onInterrupt } from './signals.ts';

const settingsHelp = `
Settings are environment variables, such as LEI_PORT and LEI_DATA_DIR: see Settings in README.md.`;

export function serveCommand(openState: OpenState) {
  // The log tells the warnings: standard error has lines of JSON only.
  const settings = () => checkedConfig(() => undefined);
  return command('serve', 'run the service', (context) => serve(context, openState), settings).addHelpText(
    'after',
    settingsHelp,
  );
}

async function serve(context: Context, openState: OpenState): Promise<void> {
  const { config } = context;
  const log = createLog(config.logLevel, { fd: 2 });
  const renewable = config.tls !== null;
  const signalled = firstSignal(!renewable);
  let running: Service | null = null;
  if (renewable) onHangup(() => void running?.renewCertificate());
  const startedAt = performance.now();
  const { version } = packageJson;
  log.info('The service is starting.', { version, pid: process.pid, settings: settingsChanged() });
  for (const warning of readSettings().warnings) log.warn(warning);
  try {
    const service = await startService(config, {
      log,
      openState,
      loadSample: (publications, aborted) => loadSample({ config, publications, aborted, log }),
      inspect: inspectInProcess(config.dataDir),
    });
    running = service;
    const ended = await Promise.race([service.ready, signalled]);
    if (ended !== 'signalled') tellReady(service, context, log);
    await signalled;
    log.info('The service is stopping.');
    await service.stop();
    log.info('The service has stopped.', {
      uptimeSeconds: Math.floor((performance.now() - startedAt) / 1_000),
    });
    // Exit with success even if the line could not be written: the service has run.
    process.exitCode = 0;
  } finally {
    await log.end();
  }
  // An absent collector of traces is retried for seconds, which would keep the process running.
  if (config.traces !== null) process.exit();
}

/** Resolves at the first signal, which ends the service in order. A later signal ends the process at once. */
function firstSignal(hangupEnds: boolean): Promise<'signalled'> {
  const reason = new Error('The service received a signal to stop.');
  const { signal } = onInterrupt(reason, undefined, hangupEnds);
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('signalled')));
}

/**
 * Standard output gets one line: the address where the service listens. Not where it is the destination of the log too,
 * as in systemd's journal: a program that reads the log expects JSON in every line.
 */
function tellReady(service: Service, { result }: Context, log: Log): void {
  const facts = ready(service);
  log.info(readyLine(service), facts);
  const { stdout, stderr } = process;
  if (stdout.isTTY || identityOf(stdout.fd) !== identityOf(stderr.fd)) result(facts, readyLine(service));
}

function ready({ url, admin, publications }: Service) {
  const active = publications.active();
  return { url, admin, publication: active?.manifest.id ?? null, sample: active?.manifest.sample ?? false };
}

function readyLine({ url, publications }: Service): string {
  const active = publications.active();
  if (active === null)
    return `Listening on ${url} (no publication is served: lei publications lists those on disk, lei load FILE… builds one)`;
  const { id, counts, sample } = active.manifest;
  const what = `${counted(counts.entities, 'company', 'companies')}, publication ${id}`;
  return `Listening on ${url} (${what}${sample ? ', the bundled SAMPLE of real records' : ''})`;
}
