/** Makes two publications of generated companies, a day apart, in one data folder. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { leiJson } from './run-lei.ts';

/** Level 1 records that change or are new on the second day: enough that every search finds some. */
const changedShare = 0.3;

/** Writes GLEIF's files into a folder. @returns their paths */
export async function generatedFiles(
  folder: string,
  entities: number,
  ...options: readonly string[]
): Promise<string[]> {
  await succeeded('', 'generate', '--entities', String(entities), '--out', folder, ...options);
  return readdirSync(folder).map((name) => join(folder, name));
}

/** @returns the ids, the earlier first; the later is active */
export async function loadTwoPublications(
  folder: string,
  dataDir: string,
  entities: number,
): Promise<readonly [string, string]> {
  const full = await generatedFiles(join(folder, 'full'), entities);
  const first = await load(dataDir, ...full);
  const changes = String(Math.round(entities * changedShare));
  const delta = await generatedFiles(join(folder, 'delta'), entities, '--delta', '--changes', changes);
  return [first, await load(dataDir, '--delta', ...delta)];
}

async function load(dataDir: string, ...args: readonly string[]): Promise<string> {
  const id = /"id":"([^"]+)"/.exec(JSON.stringify(await succeeded(dataDir, 'load', ...args)))?.[1];
  if (id === undefined) throw new Error('lei load names no publication');
  return id;
}

async function succeeded(dataDir: string, ...args: readonly string[]): Promise<unknown> {
  const { code, json, stderr } = await leiJson(dataDir, ...args);
  if (code === 0) return json;
  throw new Error(`lei ${args[0]} ended with ${code}: ${JSON.stringify(json)} ${stderr}`);
}
