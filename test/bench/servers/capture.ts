/** Bodies of the service, captured once, for servers that answer the same bytes from memory. */
import { readFileSync } from 'node:fs';

export interface Captured {
  /** Body by path with query. */
  readonly bodies: Readonly<Record<string, string>>;
}

export function readCaptured(path: string): Map<string, string> {
  const captured: Captured = JSON.parse(readFileSync(path, 'utf8'));
  return new Map(Object.entries(captured.bodies));
}

/** Path and query of an address of this machine. */
export function pathOf(url: string): string {
  return url.slice(url.indexOf('/', originLength));
}
const originLength = 'http://127.0.0.1:'.length;

/** Says where a server listens, as the bench waits for. */
export function announce(port: number | undefined): void {
  process.stdout.write(`Listening on http://127.0.0.1:${port}\n`);
  process.on('SIGTERM', () => process.exit(0));
}
