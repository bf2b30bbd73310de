/** Captured bodies of the service, for servers that answer the same bytes from memory. */
import { readFileSync } from 'node:fs';

export interface Captured {
  /** Body by path with query. */
  readonly bodies: Readonly<Record<string, string>>;
}

export function readCaptured(path: string): Map<string, string> {
  const captured: Captured = JSON.parse(readFileSync(path, 'utf8'));
  return new Map(Object.entries(captured.bodies));
}

/** Path and query of a URL of this machine. */
export function pathOf(url: string): string {
  return url.slice(url.indexOf('/', originLength));
}
const originLength = 'http://127.0.0.1:'.length;

/** Prints the address of a server, for which the bench waits. */
export function announce(port: number | undefined): void {
  process.stdout.write(`Listening on http://127.0.0.1:${port}\n`);
  process.on('SIGTERM', () => process.exit(0));
}
