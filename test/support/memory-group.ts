/** Limits the memory of a process by a control group, if one can be made, and measures its use. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface MemoryGroup {
  add(pid: number): void;
  /** How often the kernel ended a process of the group because its memory was full. */
  kills(): number;
  /** Call it after its processes have ended. */
  remove(): void;
}

/** The files of the two versions of control groups. */
const versions = [
  { root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', events: 'memory.oom_control' },
  { root: '/sys/fs/cgroup', limit: 'memory.max', events: 'memory.events' },
];

/** Null if this user or system can make no such group. */
export function memoryGroup(bytes: number): MemoryGroup | null {
  for (const { root, limit, events } of versions) {
    const folder = join(root, `lei-test-${process.pid}`);
    try {
      if (!existsSync(join(root, 'cgroup.procs'))) continue;
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, limit), String(bytes));
      return {
        add: (pid) => writeFileSync(join(folder, 'cgroup.procs'), String(pid)),
        kills: () => Number(/^oom_kill (\d+)/m.exec(readFileSync(join(folder, events), 'utf8'))?.[1] ?? 0),
        remove: () => rmdirSync(folder),
      };
    } catch {
      if (existsSync(folder)) rmdirSync(folder);
    }
  }
  return null;
}

/** The process's private memory, swapped out or not. */
export function privateBytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = Array.from(text.matchAll(/^(?:Private_\w+|SwapPss): +(\d+) kB/gm), ([, one]) =>
    Number(one),
  );
  return kilobytes.reduce((sum, one) => sum + one, 0) * 1024;
}
