/** `lei prune --keep N`: deletes publications that are no longer needed, and what killed loads left behind. */
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { withLoadLockOrNoRoom } from '../loader/command/load-lock.ts';
import { LoadFailure } from '../loader/load-request.ts';
import { clearStaging } from '../loader/staging.ts';
import { controlClient } from '../protocol/control-client.ts';
import type { Layout } from '../publication/layout.ts';
import { bytesOf } from '../publication/manifest-facts.ts';
import { readablePointer, retention } from '../publication/pointer.ts';
import { deletePublication, readManifest, sealedIds } from '../publication/sealed.ts';
import { CommandFailure, command } from './frame.ts';
import { numberIn, readKeep } from './options.ts';
import { megabytes } from './result-texts.ts';

export function pruneCommand() {
  return command(
    'prune',
    'delete publications that are no longer needed',
    async ({ config, layout, result }, _args, options) => {
      const pruned = await prune(layout, numberIn(options, 'keep') ?? config.keepPublications);
      result(pruned, describe(pruned));
    },
  ).option(
    '--keep <n>',
    'number of publications to keep, including the active one (default LEI_KEEP_PUBLICATIONS)',
    readKeep,
  );
}

interface PruneResult {
  /** Ids of publications. */
  readonly deleted: readonly string[];
  /** Ids of publications that killed loads left unfinished in the staging folder. */
  readonly unfinished: readonly string[];
  readonly freedBytes: number;
}

function describe({ deleted, unfinished, freedBytes }: PruneResult): string {
  const all = [...deleted, ...unfinished.map((name) => `the unfinished ${name}`)];
  if (all.length === 0) return 'There is nothing to delete.';
  return `Deleted ${all.join(', ')} (${megabytes(freedBytes)}).`;
}

/**
 * Takes the load lock: a publication that a load has sealed and is about to activate looks unneeded. A full disk has no
 * room for the lock, and pruning must work there.
 */
async function prune(layout: Layout, keep: number): Promise<PruneResult> {
  try {
    return await withLoadLockOrNoRoom(layout, async () => {
      const outdated = outdatedIds(layout, keep);
      const { names: unfinished, bytes } = await clearStaging(layout);
      const { deleted, freedBytes } = await deletePublications(
        layout,
        keep,
        await released(layout, outdated),
      );
      return { deleted, unfinished, freedBytes: freedBytes + bytes };
    });
  } catch (error) {
    if (!(error instanceof LoadFailure)) throw error;
    throw new CommandFailure(error.code, `Nothing was deleted. ${error.message}`);
  }
}

/**
 * Ids to delete: all but the active one and the next `keep - 1`, counting the earlier active before the never active.
 */
function outdatedIds(layout: Layout, keep: number): readonly string[] {
  const pointer = readablePointer(layout);
  const sealed = sealedIds(layout);
  if (sealed.length === 0) return [];
  if (pointer === null) {
    throw new CommandFailure(
      'no-active',
      'No publication is active, so it is unknown which are outdated. Activate one with lei activate ID; lei publications lists them.',
    );
  }
  const { kept, outdated: notKept, unused } = retention(sealed, pointer, keep);
  const inOrder = [...kept, ...notKept, ...unused].filter((id) => sealed.includes(id));
  const outdated = inOrder.slice(keep);
  if (outdated.length > 0) checkSound(layout, pointer.id);
  return outdated;
}

/** If the active publication is unfit, a service falls back to the newest sound one, which must then stay. */
function checkSound(layout: Layout, active: string): void {
  const reading = readManifest(layout, active);
  if (reading.outcome === 'sound') return;
  throw new CommandFailure(
    'active-not-sound',
    `${reading.message} It is the active publication. Activate a sound one first (lei publications lists them); otherwise lei prune could delete the one that could replace it.`,
  );
}

const ReleasedSchema = Type.Object({ released: Type.Array(Type.String()) });

/**
 * Ids that no thread of a running service holds any more. The service answers after a current swap, and keeps the
 * publication that has become active.
 */
async function released(layout: Layout, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const reply = await controlClient(layout).send({ op: 'release', ids: [...ids] });
  if (reply === 'not-running') return ids;
  if (!reply.ok) throw new CommandFailure(reply.code, reply.message);
  const { value } = reply;
  if (Value.Check(ReleasedSchema, value)) return ids.filter((id) => value.released.includes(id));
  throw new CommandFailure(
    'unreadable',
    "The running service has another version, and its answer can't be read. Restart it with this version, or use the command of that version.",
  );
}

/** Reads the pointer before each deletion: another command may move it at any moment. */
async function deletePublications(
  layout: Layout,
  keep: number,
  ids: readonly string[],
): Promise<Pick<PruneResult, 'deleted' | 'freedBytes'>> {
  const deleted: string[] = [];
  let freedBytes = 0;
  for (const id of ids) {
    if (!outdatedIds(layout, keep).includes(id)) continue;
    freedBytes += freedBy(layout, id);
    await deletePublication(layout, id);
    deleted.push(id);
  }
  return { deleted, freedBytes };
}

function freedBy(layout: Layout, id: string): number {
  const reading = readManifest(layout, id);
  return reading.outcome === 'sound' ? bytesOf(reading.manifest) : 0;
}
