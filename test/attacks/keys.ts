/**
 * Guesses keys: a valid key with changed case, character, white space or length, made-up keys, and the key itself after
 * its revocation. Only the exact valid key may be accepted. One round sends fifty guesses.
 */
import { createAccount, leiJson } from '../support/lei-here.ts';
import type { Served } from '../support/serve.ts';
import { type Attack, below, pick, type Random, randomOf, whileServing } from './attack.ts';

const guessesPerRound = 50;
/** The account's own quota: an answer that shows it proves that the key was accepted. */
const accountDaily = 777_777;
const settings = {
  LEI_SAMPLE: 'on',
  LEI_LIMITS: 'enforce',
  LEI_ANONYMOUS_DAILY: '1000000',
  LEI_BURST_LOOKUP: '10000000',
};
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const keyPrefix = 'lei_live_';

const letter = (random: Random) => letters.charAt(below(random, letters.length));

/** A value of the header that must be refused. */
function guess(secret: string, random: Random): string {
  // Not in front of the key: RFC 9110 allows several spaces there.
  const at = 1 + below(random, secret.length - 1);
  const guesses = [
    `Bearer ${secret.slice(0, at)}${letter(random)}${secret.slice(at + 1)}`,
    `Bearer ${secret.slice(0, at)}${letter(random)}${secret.slice(at)}`,
    `Bearer ${secret.slice(0, at)}${secret.slice(at + 1)}`,
    `Bearer ${secret.slice(0, at)} ${secret.slice(at)}`,
    `Bearer ${secret.slice(0, at)}`,
    `Bearer ${secret.toUpperCase()}`,
    `Bearer ${secret.toLowerCase()}`,
    `Bearer ${secret}${secret}`,
    `Bearer ${secret},${secret}`,
    `Bearer "${secret}"`,
    `Bearer ${encodeURIComponent(`${secret} `)}`,
    `Basic ${Buffer.from(`${secret}:`).toString('base64')}`,
    `Token ${secret}`,
    secret,
    'Bearer',
    `Bearer ${keyPrefix}${Array.from({ length: secret.length - keyPrefix.length }, () => letter(random)).join('')}`,
    `Bearer ${'x'.repeat(1 + below(random, 6_000))}`,
  ];
  const chosen = pick(random, guesses);
  // A letter may have been replaced by itself.
  return chosen === `Bearer ${secret}` ? `${chosen}x` : chosen;
}

interface Reply {
  readonly status: number;
  readonly isLetIn: boolean;
}

async function ask(served: Served, authorization: string): Promise<Reply> {
  const response = await served.get('/api/v1/lei/7LTWFZYICNSX8D621K86', {
    headers: { Authorization: authorization },
  });
  await response.arrayBuffer();
  const limit = response.headers.get('x-ratelimit-limit');
  return { status: response.status, isLetIn: response.status === 200 && limit === String(accountDaily) };
}

/** Nobody gets in with a changed key, and nothing breaks. */
async function tryGuesses(served: Served, secret: string, count: number, random: Random): Promise<string[]> {
  const wrong: string[] = [];
  for (let tried = 0; tried < count; tried++) {
    const authorization = guess(secret, random);
    const { status, isLetIn } = await ask(served, authorization);
    const shown = JSON.stringify(authorization.replaceAll(secret, '<key>').slice(0, 200));
    if (isLetIn) wrong.push(`${shown} was let in.`);
    if (status >= 500) wrong.push(`${shown} has status ${status}.`);
  }
  const { isLetIn } = await ask(served, `Bearer ${secret}`);
  if (!isLetIn) wrong.push('After the guesses the key itself is not let in.');
  return wrong;
}

/** The command ends when the service knows about the revocation. */
async function tryRevoked(served: Served, dataDir: string, keyId: string, secret: string): Promise<string[]> {
  const { code, stderr } = await leiJson(dataDir, 'keys', 'revoke', keyId);
  if (code !== 0) throw new Error(`lei keys revoke ended with ${code}: ${stderr}`);
  const { status } = await ask(served, `Bearer ${secret}`);
  return status === 401 ? [] : [`A revoked key has status ${status}, not 401.`];
}

const run: Attack['run'] = async ({ rounds, seed, say, folder }) => {
  const count = rounds * guessesPerRound;
  const made = await createAccount(folder, 'ada@example.com', '--daily', String(accountDaily));
  return whileServing(folder, settings, async (served) => {
    const wrong = await tryGuesses(served, made.secret, count, randomOf(seed));
    wrong.push(...(await tryRevoked(served, folder, made.key.id, made.secret)));
    say(`${count} guesses, and the key after it was revoked`);
    return { tried: count + 1, wrong };
  });
};

export const attack: Attack = { name: 'keys', run };
