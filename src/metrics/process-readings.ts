/**
 * Reads the metrics of the process, under the names that the Prometheus client libraries use. Only Linux provides all
 * of them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { Reading } from './text.ts';

const kibibyte = 1_024;

/** @param startedAt epoch milliseconds */
export function processReadings(startedAt: number): readonly Reading[] {
  const { user, system } = process.cpuUsage();
  const readings = [
    reading('process_cpu_seconds_total', 'User and system CPU time spent.', (user + system) / 1e6, 'counter'),
    reading('process_resident_memory_bytes', 'Resident memory size.', process.memoryUsage.rss()),
    reading('process_start_time_seconds', 'Start time since the Unix epoch.', startedAt / 1_000),
    reading('process_virtual_memory_bytes', 'Virtual memory size.', virtualBytes()),
    reading('process_open_fds', 'Open file descriptors.', openDescriptors()),
    reading('process_max_fds', 'Maximum number of open file descriptors.', descriptorsMax()),
  ];
  return readings.filter(({ samples }) => samples.length > 0);
}

function reading(name: string, help: string, value: number | null, type: Reading['type'] = 'gauge'): Reading {
  return { name, help, type, samples: value === null ? [] : [{ value }] };
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
