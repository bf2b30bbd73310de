/** Prints the cores that a loader may use which this process starts beside a service. */
import { readFileSync, readlinkSync } from 'node:fs';
import { runLoader } from '../../../src/loader/command/run-loader.ts';
import { loadRequest } from '../../../src/loader/load-request.ts';
import { childOf } from '../../support/child-process.ts';

const [dataDir = ''] = process.argv.slice(2);

function lookAndEnd(): void {
  const loader = childOf(process.pid);
  // The program that chooses the cores then becomes the loader.
  while (readlinkSync(`/proc/${loader}/exe`) !== readlinkSync('/proc/self/exe'));
  const status = readFileSync(`/proc/${loader}/status`, 'utf8');
  process.stdout.write(/^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '');
  process.kill(loader, 'SIGKILL');
}

const { signal } = new AbortController();
// The callback runs when the loader has started and before anything is sent.
Object.defineProperty(signal, 'addEventListener', { value: lookAndEnd });
await runLoader(loadRequest({ dataDir, maxBadRows: 0 }, []), {}, { besideService: true, signal }).catch(
  () => {},
);
