/** Captures what the service answers, for servers that answer the same from memory (servers/capture.ts). */
import { writeFileSync } from 'node:fs';
import type { Captured } from '../servers/capture.ts';
import type { Server } from './processes.ts';
import type { Ask } from './questions.ts';

const connections = 64;

/** Asks every question once and keeps the bodies. @throws on a status other than 200 and on a wrong answer */
export async function captureBodies(
  service: Server,
  asks: readonly Ask[],
  headers: Readonly<Record<string, string>>,
  path: string,
): Promise<void> {
  const bodies: Record<string, string> = {};
  for (let start = 0; start < asks.length; start += connections) {
    await Promise.all(
      asks.slice(start, start + connections).map(async (ask) => {
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
