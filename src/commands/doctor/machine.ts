/** Checks the machine: versions, open-file limit, memory, cores. */
import { availableParallelism, totalmem } from 'node:os';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Config } from '../../config.ts';
import { connectionLimits } from '../../serve/connections/limits.ts';
import { descriptorLimit } from '../../system/library.ts';
import { counted } from '../result-texts.ts';
import { doctorLimits, type Finding, findings, size } from './finding.ts';

export function lookAtVersions(): Finding {
  const { ok, note } = findings('versions');
  const pinned = packageJson.dependencies.bun;
  const running = `lei ${packageJson.version} on Bun ${Bun.version}, ${process.platform} ${process.arch}`;
  if (Bun.version === pinned) return ok(`${running}.`);
  return note(`${running}; this version is tested with Bun ${pinned}, which npm start and src/lei.sh use.`);
}

export function lookAtOpenFiles(): Finding {
  const { ok, note } = findings('open-files');
  const limit = descriptorLimit();
  if (limit === null) return note("The open-file limit can't be read on this system.");
  const wanted = connectionLimits.descriptorsWanted;
  if (limit >= wanted) return ok(`The process may open ${limit} files and connections.`);
  return note(
    `The process may open only ${limit} files and connections. Allow ${wanted} or more, with ulimit -n or LimitNOFILE in a systemd unit.`,
  );
}

/** @param published bytes of the active publication, which the kernel keeps in memory for fast answers */
export function lookAtMemory({ workers }: Pick<Config, 'workers'>, published: number): Finding {
  const { ok, note, wrong } = findings('memory');
  const usable = usableMemory();
  const service = doctorLimits.serviceBytes + (workers - 1) * doctorLimits.threadBytes;
  const has = `${size(usable)} can be used`;
  if (usable < doctorLimits.memoryBytesMin) return wrong(`Only ${has}; the service needs ${size(service)}.`);
  if (usable >= service + published)
    return ok(`${has}; the service and the active publication need ${size(service + published)}.`);
  return note(
    `${has}; the service and the active publication need ${size(service + published)}. With less, answers wait for the disk.`,
  );
}

/** The resources that a container may use; without a limit, all of the machine's. */
function usableMemory(): number {
  const bound = process.constrainedMemory();
  return bound > 0 ? Math.min(bound, totalmem()) : totalmem();
}

export function lookAtCores({ workers, fronts }: Pick<Config, 'workers' | 'fronts'>): Finding {
  const { ok, note } = findings('cores');
  const cores = availableParallelism();
  const has = `${counted(cores, 'core')} can be used, for ${counted(workers, 'query thread')} and ${counted(fronts, 'front')}`;
  if (workers + 1 <= Math.max(2, cores)) return ok(`${has}.`);
  return note(`${has}: there are more threads than cores. Set LEI_WORKERS=${Math.max(1, cores - 1)}.`);
}
