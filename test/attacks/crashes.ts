/**
 * Kills the service and loads with `kill -9` at random moments, under load. The restarted service must serve one of the
 * sealed publications and have counted every request that it answered; a killed load must change nothing, and the next
 * one must clear up after it. One round kills the service once and a load once.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifySealed } from '../../src/loader/command/verify/verify-sealed.ts';
import { controlClient } from '../../src/protocol/control-client.ts';
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { sealedIds } from '../../src/publication/sealed.ts';
import { leiJson } from '../support/lei-here.ts';
import { cli } from '../support/run-lei.ts';
import { type Served, serve } from '../support/serve.ts';
import { generatedFiles, loadTwoPublications } from '../support/two-publications.ts';
import { type Attack, pick, type Random, randomOf } from './attack.ts';

const entities = 300;
/** Enough companies that a load can be killed at many moments. */
const loadedEntities = 2_000;
const clients = 8;
/** So small that the last rounds show whether refusals continue after a crash. */
const daily = 300;
const settings = {
  LEI_LIMITS: 'enforce',
  LEI_ANONYMOUS_DAILY: String(daily),
  LEI_BURST_SEARCH: '1000000',
  LEI_BURST_LOOKUP: '1000000',
  LEI_TRUSTED_PROXIES: '127.0.0.1',
};
/** The longest that a service or a load runs before it is killed. */
const livesMsMax = 700;

interface Site {
  readonly dataDir: string;
  readonly ids: readonly string[];
  /** What the killed loads load. */
  readonly files: readonly string[];
  readonly random: Random;
  readonly wrong: string[];
}

/** One caller, and the least and the most units that its day was charged. */
interface Client {
  readonly address: string;
  atLeast: number;
  atMost: number;
}

async function ask(served: Served, { address }: Client): Promise<Response> {
  const response = await served.get('/api/v1/search?q=bank&limit=1', {
    headers: { 'X-Forwarded-For': address },
  });
  await response.arrayBuffer();
  return response;
}

/** Sends one request after the other until the service is gone. */
async function askUntilKilled(served: Served, client: Client, wrong: string[]): Promise<void> {
  for (;;) {
    client.atMost++;
    const response = await ask(served, client).catch(() => null);
    if (response === null) return;
    if (response.status === 200) client.atLeast++;
    else client.atMost--;
    if (response.status === 429 && client.atMost < daily)
      wrong.push(`${client.address} was refused before its day was used.`);
    if (response.status !== 200 && response.status !== 429)
      wrong.push(`A request has status ${response.status}.`);
    if (response.status === 429) await Bun.sleep(20);
  }
}

/** After a restart each client must have been charged for every answer, and for no more than it sent. */
async function faultsOfCounts(served: Served, callers: readonly Client[]): Promise<string[]> {
  const faults = callers.map(async (client) => {
    const { address, atLeast, atMost } = client;
    const response = await ask(served, client);
    const isAnswered = response.status === 200;
    const used = daily - Number(response.headers.get('x-ratelimit-remaining'));
    client.atLeast = used;
    client.atMost = used;
    const before = isAnswered ? used - 1 : used;
    const isRight = before >= atLeast && before <= atMost && (isAnswered || used === daily);
    return isRight
      ? []
      : [`After a crash ${address} has used ${before}; ${atLeast} to ${atMost} would be right.`];
  });
  return (await Promise.all(faults)).flat();
}

/** Starts the service, sends requests, and kills it, sometimes in the middle of an activation. */
async function killService(site: Site, callers: readonly Client[]): Promise<void> {
  const { dataDir, ids, random, wrong } = site;
  const served = await serve(dataDir, settings);
  wrong.push(...(await faultsOfCounts(served, callers)), ...faultsOfActive(site));
  const asking = callers.map((client) => askUntilKilled(served, client, wrong));
  const id = pick(random, ids);
  await Bun.sleep(random() * livesMsMax);
  const swapping = random() < 0.5 ? controlClient(layout(dataDir)).send({ op: 'activate', id }) : null;
  await Bun.sleep(random() * 30);
  served.kill('SIGKILL');
  await Promise.all([served.exited, swapping, ...asking]);
}

/** Kills a load: its command, its loader process, or both at once. */
async function killLoad({ dataDir, ids, files, random, wrong }: Site): Promise<void> {
  const before = readPointer(layout(dataDir))?.id;
  const command = Bun.spawn([process.execPath, cli, 'load', ...files, '--no-activate'], {
    env: { ...process.env, LEI_DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  await Bun.sleep(random() * 3 * livesMsMax);
  const loaders = childrenOf(command.pid);
  const chosen = random();
  if (chosen < 0.7) for (const pid of loaders) killed(pid);
  if (chosen > 0.3) command.kill('SIGKILL');
  const code = await command.exited;
  const after = readPointer(layout(dataDir))?.id;
  // A service beside it may have swapped between the two existing publications.
  const isSwap = ids.includes(after ?? '');
  if (after !== before && !isSwap)
    wrong.push(`A killed load (${code}) moved the pointer from ${before} to ${after}.`);
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function faultsOfActive({ dataDir }: Site): string[] {
  const active = readPointer(layout(dataDir))?.id ?? 'none';
  return sealedIds(layout(dataDir)).includes(active)
    ? []
    : [`The pointer names ${active}, which is not sealed.`];
}

/** A last load must succeed, and everything sealed must be sound and listed. */
async function faultsAtTheEnd({ dataDir, files }: Site): Promise<string[]> {
  const paths = layout(dataDir);
  const { code, json } = await leiJson(dataDir, 'load', ...files);
  const wrong = code === 0 ? [] : [`After the crashes a load ends with ${code}: ${JSON.stringify(json)}`];
  const left = readdirSync(paths.staging);
  if (left.length > 0) wrong.push(`After a load the staging folder holds ${left.join(', ')}.`);
  for (const id of sealedIds(paths)) {
    const { sound, problems } = await verifySealed(paths, id, () => undefined);
    if (!sound) wrong.push(`${id} is sealed and not sound: ${problems.join(' ')}`);
  }
  const listed = JSON.stringify((await leiJson(dataDir, 'publications')).json);
  const untold = sealedIds(paths).filter((id) => !listed.includes(id));
  if (untold.length > 0) wrong.push(`lei publications does not tell of ${untold.join(', ')}.`);
  return wrong;
}

const run: Attack['run'] = async ({ rounds, seed, say, folder }) => {
  const dataDir = join(folder, 'data');
  const ids = await loadTwoPublications(folder, dataDir, entities);
  const files = await generatedFiles(join(folder, 'more'), loadedEntities, '--seed', '2');
  const site: Site = { dataDir, ids, files, random: randomOf(seed), wrong: [] };
  const callers = Array.from({ length: clients }, (_, index) => ({
    address: `192.0.2.${index + 1}`,
    atLeast: 0,
    atMost: 0,
  }));
  for (let round = 0; round < rounds; round++) {
    // At once in odd rounds, so that a load loses its service.
    const killing = killService(site, callers);
    if (round % 2 === 0) await killing;
    await Promise.all([killing, killLoad(site)]);
  }
  site.wrong.push(...(await faultsAtTheEnd(site)));
  const charged = callers.reduce((sum, client) => sum + client.atLeast, 0);
  say(`${rounds} crashes of the service over ${charged} counted answers, and ${rounds} of loads`);
  return { tried: 2 * rounds, wrong: site.wrong };
};

export const attack: Attack = { name: 'crashes', run };
