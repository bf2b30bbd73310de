/** `lei serve`: runs the service until a signal ends it. */
import { constants } from 'node:os';
import { createLog } from '../front/log.ts';
import { loadSample } from '../load-sample.ts';
import { type Service, StartFailure, startService } from '../main.ts';
import { CommandFailure, type Context, command } from './frame.ts';

export function serveCommand() {
  return command('serve', 'run the service', serve);
}

async function serve(context: Context): Promise<void> {
  const { config } = context;
  // Standard output is for the one line that says where the service listens.
  const log = createLog(config.logLevel, { fd: 2 });
  const stopped = Promise.withResolvers<void>();
  let service: Service | null = null;
  onSignals(async () => {
    await service?.stop();
    stopped.resolve();
  });
  try {
    const { say } = context;
    service = await startService(config, {
      log,
      loadSample: (publications, aborted) => loadSample({ config, publications, aborted, say }),
    });
    await service.ready;
    context.result(ready(service), readyLine(service));
    await stopped.promise;
  } catch (error) {
    if (error instanceof StartFailure) throw new CommandFailure('not-started', error.message);
    throw error;
  } finally {
    await log.flush();
  }
}

/** The first signal ends the service in order, the second at once. */
function onSignals(stop: () => Promise<void>): void {
  let signals = 0;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      signals++;
      if (signals === 1) void stop();
      // As a shell reports a process that a signal has ended.
      else process.exit(128 + constants.signals[signal]);
    });
  }
}

function ready({ url, publications }: Service) {
  const active = publications.active();
  return { url, publication: active?.manifest.id ?? null, sample: active?.manifest.sample ?? false };
}

function readyLine({ url, publications }: Service): string {
  const active = publications.active();
  if (active === null) return `Listening on ${url} (no publication yet: run lei load)`;
  const { id, counts, sample } = active.manifest;
  const what = `${counts.entities.toLocaleString('en')} companies, publication ${id}`;
  return `Listening on ${url} (${what}${sample ? ', the bundled SAMPLE of real records' : ''})`;
}
