/**
 * `lei status`: shows what is active and what is loading, from the running service or otherwise from the data folder.
 */
import { Value } from '@sinclair/typebox/value';
import { changedLimits } from '../api/service-limits.ts';
import { type RunningStatus, RunningStatusSchema, serviceStatus, statusOf } from '../api/status.ts';
import { isLoadedList } from '../lei/gleif-code-lists.ts';
import { controlClient } from '../protocol/control-client.ts';
import type { Layout } from '../publication/layout.ts';
import { earlierActivations, readPointer } from '../publication/pointer.ts';
import { readManifest } from '../publication/sealed.ts';
import { tellStaged } from './data-folder.ts';
import { CommandFailure, type Context, command } from './frame.ts';

export function statusCommand() {
  return command('status', 'show what is active and what is loading', status);
}

async function status({ layout, result }: Context): Promise<void> {
  const reply = await controlClient(layout).send({ op: 'status' });
  if (reply === 'not-running') {
    const told = statusOnDisk(layout);
    const staged = tellStaged(layout);
    const lines = ['Service      not running', ...describe(told)];
    result({ running: false, ...told }, staged === null ? lines : [...lines, staged]);
    return;
  }
  if (!reply.ok) throw new CommandFailure(reply.code, reply.message);
  const told = reply.value;
  if (!Value.Check(RunningStatusSchema, told)) {
    throw new CommandFailure(
      'unreadable',
      "The running service has another version, and its status can't be read. Restart it with this version, or use the command of that version.",
    );
  }
  result({ running: true, ...told }, [`Service      ${told.status}`, ...describe(told)]);
}

/** The publication that a service would serve if it started now, judged by pointer and manifests alone. */
function statusOnDisk(layout: Layout): RunningStatus {
  const threads = { fronts: 0, queries: 0 };
  const pointer = readPointer(layout);
  const isKept = (id: string) => readManifest(layout, id).outcome === 'sound';
  const previous = pointer === null ? [] : earlierActivations(pointer, isKept);
  const quiet = { previous: () => previous, loading: () => null, lastFailure: () => null };
  if (pointer === null) return { ...serviceStatus({ ...quiet, active: () => null }, 0), threads };
  const reading = readManifest(layout, pointer.id);
  if (reading.outcome !== 'sound') throw new CommandFailure(reading.outcome, reading.message);
  const held = { manifest: reading.manifest, activatedAt: pointer.activatedAt };
  return { ...statusOf(held, quiet, 0), status: 'unavailable', threads };
}

function describe({
  publication,
  counts,
  previous,
  loading,
  lastFailure,
  threads,
  limits = {},
}: RunningStatus): readonly string[] {
  const lines: string[] = [];
  const line = (name: string, value: string) => void lines.push(`${name.padEnd(12)} ${value}`);
  if (publication === null || counts === null) {
    line('Publication', 'none is served: lei publications lists those on disk, lei load FILE… builds one');
  } else {
    line('Publication', publication.id + (publication.sample ? ' (the bundled sample)' : ''));
    line('Source time', publication.sourcePublishedAt);
    line('Activated', publication.activatedAt);
    line('Companies', counts.entities.toLocaleString('en'));
    line('Relations', counts.relationships.toLocaleString('en'));
    for (const { name, kind } of publication.files)
      if (isLoadedList(kind)) line('Code list', `${kind}, ${name}`);
  }
  for (const { id, activatedAt } of previous) line('Previous', `${id}, activated ${activatedAt}`);
  if (loading !== null) line('Loading', `${loading.phase}, ${Math.floor(loading.progress * 100)} %`);
  if (lastFailure !== null)
    line('Last failure', `${lastFailure.at}, ${lastFailure.phase}: ${lastFailure.message}`);
  if (threads.fronts > 0) line('Threads', `${threads.fronts} front, ${threads.queries} query`);
  const changed = changedLimits(limits);
  if (changed.length > 0) line('Limits', `changed by lei limits: ${changed.join(', ')}`);
  return lines;
}
