/** Records the service's answers, for servers that answer the same bytes from memory. */
import { writeFileSync } from 'node:fs';
import type { Captured } from '../servers/capture.ts';
import type { Server } from './processes.ts';
import type { Ask } from './questions.ts';

/** Questions in flight at once. */
const atOnce = 16;

/** Asks every question once and returns the bodies. @throws on a status other than 200 and on a wrong answer */
export async function captureAnswers(
  service: Server,
  asks: readonly Ask[],
  headers: Readonly<Record<string, string>>,
  path: string,
): Promise<void> {
  const bodies: Record<string, string> = {};
  const distinct = [...new Map(asks.map((ask) => [ask.path, ask])).values()];
  for (let start = 0; start < distinct.length; start += atOnce) {
    await Promise.all(
      distinct.slice(start, start + atOnce).map(async (ask) => {
        const response = await fetch(service.url + ask.path, { headers });
        const body = await response.text();
        if (response.status !== 200 || !body.includes(ask.proof)) {
          throw new Error(`${ask.path} was answered ${response.status}: ${body.slice(0, 300)}`);
        }
        bodies[ask.path] = body;
      }),
    );
  }
  const captured: Captured = { bodies };
  writeFileSync(path, JSON.stringify(captured));
}
