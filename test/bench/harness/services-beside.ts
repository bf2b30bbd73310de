/** Starts several services over the same publication at once, each with its own data folder. */
import { cpSync, linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { companiesFile, environmentFile, manifestFile, searchFile } from '../../../src/publication/layout.ts';
import { type BenchData, startService } from './data.ts';
import { type Server, undoAtEnd } from './processes.ts';

/** Files of a publication that nobody writes. All services share their pages in memory. */
const sealed = new Set([environmentFile, companiesFile, searchFile, manifestFile]);

/**
 * Starts one service for each set of settings. The shared data folder must not be in use meanwhile.
 * @returns the services in this order; each removes its folder when it is stopped
 */
export async function startServicesBeside(
  data: BenchData,
  settings: readonly Readonly<Record<string, string>>[],
): Promise<Server[]> {
  const services: Server[] = [];
  for (const [place, own] of settings.entries()) services.push(await startBeside(data, `data-${place}`, own));
  return services;
}

async function startBeside(
  data: BenchData,
  name: string,
  own: Readonly<Record<string, string>>,
): Promise<Server> {
  const dataDir = join(data.folder, name);
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  remove();
  copyData(data.dataDir, dataDir);
  const removed = undoAtEnd(remove);
  const service = await startService({ ...data, dataDir }, own);
  return {
    ...service,
    async stop() {
      await service.stop();
      remove();
      removed();
    },
  };
}

/** Copies a folder; sealed files are linked instead. */
function copyData(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  const inPublication = readdirSync(from).includes('manifest.json');
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyData(source, target);
    else if (inPublication && sealed.has(entry.name)) linkSync(source, target);
    else cpSync(source, target);
  }
}
