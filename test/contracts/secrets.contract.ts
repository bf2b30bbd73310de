/** The contract that every {@link Secrets} keeps. */
import { expect, test } from 'bun:test';
import type { Secrets } from '../../src/ports/state.ts';
import type { Installation } from './installation.ts';

async function secretsOf(installation: Installation): Promise<Secrets> {
  const { secrets, close } = await installation.open();
  await close();
  return secrets;
}

const all = ({ cursor, etag, client }: Secrets) =>
  [cursor, etag, client].map((secret) => Buffer.from(secret).toString('hex'));

/** @param install makes an empty installation */
export function secretsContract(install: () => Installation): void {
  test('secrets are three different values of 32 bytes', async () => {
    const made = all(await secretsOf(install()));
    expect(made.map(({ length }) => length)).toEqual([64, 64, 64]);
    expect(new Set(made).size).toBe(3);
  });

  test('secrets survive a restart', async () => {
    const installation = install();
    expect(await secretsOf(installation)).toEqual(await secretsOf(installation));
  });

  test('secrets are the same for all processes that open one installation at once', async () => {
    const installation = install();
    const states = await Promise.all([installation.open(), installation.open(), installation.open()]);
    const seen = states.map(({ secrets }) => all(secrets).join());
    await Promise.all(states.map(({ close }) => close()));
    expect(new Set(seen).size).toBe(1);
  });

  test('secrets differ between installations', async () => {
    const seen = [...all(await secretsOf(install())), ...all(await secretsOf(install()))];
    expect(new Set(seen).size).toBe(6);
  });
}
