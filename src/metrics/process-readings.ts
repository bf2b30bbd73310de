/**
 * Reads the metrics of the process, under the names that the Prometheus client libraries use. Only Linux provides all
 * of them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { counter, gauge, type Reading } from './text.ts';

const kibibyte = 1_024;

/** @param startedAt epoch milliseconds */
export function processReadings(startedAt: number): readonly Reading[] {
  const { user, system } = process.cpuUsage();
  const readings = [
    counter('process_cpu_seconds_total', 'User and system CPU time spent.', (user + system) / 1e6),
    gauge('process_resident_memory_bytes', 'Resident memory size.', process.memoryUsage.rss()),
    gauge('process_start_time_seconds', 'Start time since the Unix epoch.', startedAt / 1_000),
    gauge('process_virtual_memory_bytes', 'Virtual memory size.', virtualBytes()),
    gauge('process_open_fds', 'Open file descriptors.', openDescriptors()),
    gauge('process_max_fds', 'Maximum number of open file descriptors.', descriptorsMax()),
  ];
  return readings.filter(({ samples }) => samples.length > 0);
}

function virtualBytes(): number | null {
  const kibibytes = /^VmSize:\s+(\d+)/m.exec(tryRead('/proc/self/status'))?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * kibibyte;
}

function descriptorsMax(): number | null {
  const value = /^Max open files\s+(\d+)/m.exec(tryRead('/proc/self/limits'))?.[1];
  return value === undefined ? null : Number(value);
}

function openDescriptors(): number | null {
  try {
    // Without the one that reads the folder.
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return null;
  }
}

function tryRead(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
