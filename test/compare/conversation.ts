/** Sends all requests of a comparison to the service of a checkout. */
import { rmSync } from 'node:fs';
import { serveCopy } from './checkout.ts';
import { ask } from './connection.ts';
import type { Named } from './normal.ts';
import type { Prepared } from './prepare.ts';
import { type AskFor, askEverything } from './requests.ts';

/**
 * Every answer of the service of the checkout at `root` over a copy of a data folder, in the order asked.
 * @param copy where the copy is made; it is removed again
 * @param expired cursor of a publication that is not served
 */
export async function answersOf(
  root: string,
  { dataDir, keys }: Prepared,
  copy: string,
  expired: string,
): Promise<Named[]> {
  const { port, stop } = await serveCopy(root, dataDir, copy);
  const answers: Named[] = [];
  const askFor: AskFor = async (name, target, { method = 'GET', headers = {}, body = '' } = {}) => {
    const answer = await ask(port, { method, target, headers, body });
    answers.push({ name, ...answer });
    return answer;
  };
  try {
    await askEverything(askFor, keys, expired);
  } finally {
    await stop();
    rmSync(copy, { recursive: true });
  }
  return answers;
}
