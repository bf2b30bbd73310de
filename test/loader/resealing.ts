/** Rewrites a manifest for the bytes that a test has left in a sealed publication. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { digestFile } from '../../src/publication/files.ts';
import { layout } from '../../src/publication/layout.ts';
import type { Operator } from './publishing.ts';

export async function reseal({ dataDir }: Pick<Operator, 'dataDir'>, id: string): Promise<void> {
  const paths = layout(dataDir);
  const asSealed = async (path: string) => ({ bytes: statSync(path).size, sha256: await digestFile(path) });
  const manifest = JSON.parse(readFileSync(paths.manifest(id), 'utf8'));
  const environment = await asSealed(paths.environment(id));
  const companies = await asSealed(paths.companies(id));
  const search = await asSealed(paths.search(id));
  writeFileSync(paths.manifest(id), JSON.stringify({ ...manifest, environment, companies, search }));
}
