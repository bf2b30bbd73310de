/** `lei prune --keep N`: deletes the publications that are not needed any more. */
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { withLoadLockOrNoRoom } from '../loader/command/load-lock.ts';
import { LoadFailure } from '../loader/load-request.ts';
import { controlClient } from '../protocol/control-client.ts';
import { type Layout, layout as layoutOf } from '../publication/layout.ts';
import { bytesOf } from '../publication/manifest.ts';
import { readablePointer } from '../publication/pointer.ts';
import { deletePublication, readManifest, sealedIds } from '../publication/sealed.ts';
import { CommandFailure, type Context, command } from './frame.ts';
import { badOption } from './options.ts';

export function pruneCommand() {
  return command(
    'prune',
    'delete publications that are no longer needed',
    async (context, _args, options) => {
      const keep = readKeep(options['keep'], context);
      const { deleted, freedBytes } = await prune(layoutOf(context.config.dataDir), keep);
      context.result(
        { deleted, freedBytes },
        deleted.length === 0
          ? 'There is nothing to delete.'
          : `Deleted ${deleted.join(', ')} (${(freedBytes / 1e6).toFixed(1)} MB).`,
      );
    },
  ).option('--keep <n>', 'how many to keep, the active one included (default LEI_KEEP_PUBLICATIONS)');
}

function readKeep(given: unknown, { config }: Context): number {
  if (given === undefined) return config.keepPublications;
  const keep = Number(given);
  if (Number.isInteger(keep) && keep >= 1) return keep;
  throw badOption('--keep', given, 'a whole number of at least 1: the active publication always stays');
}

interface Pruned {
  readonly deleted: readonly string[];
  readonly freedBytes: number;
}

/**
 * Under the load lock: what a load has sealed and is about to activate looks like one that nobody needs. On a full disk
 * without it, since this is what makes room there.
 */
async function prune(layout: Layout, keep: number): Promise<Pruned> {
  try {
    return await withLoadLockOrNoRoom(layout, async () =>
      deletePublications(layout, keep, await released(layout, outdatedIds(layout, keep))),
    );
  } catch (error) {
    if (!(error instanceof LoadFailure)) throw error;
    throw new CommandFailure(error.code, `Nothing was deleted. ${error.message}`);
  }
}

/** All but the active one and the newest others: those active before first, then those never active. */
function outdatedIds(layout: Layout, keep: number): readonly string[] {
  const pointer = readablePointer(layout);
  const sealed = sealedIds(layout);
  if (pointer === null && sealed.length > 0) {
    throw new CommandFailure(
      'no-active',
      'No publication is active, so there is no telling which are outdated; activate one first.',
    );
  }
  const wereActive = pointer === null ? [] : [pointer.id, ...pointer.previous.map(({ id }) => id)];
  const inOrder = [...new Set([...wereActive.filter((id) => sealed.includes(id)), ...sealed])];
  const outdated = inOrder.slice(keep);
  if (pointer !== null && outdated.length > 0) checkSound(layout, pointer.id);
  return outdated;
}

/** In place of an active one that can't be served, a service serves the newest sound one: it must not go. */
function checkSound(layout: Layout, active: string): void {
  const reading = readManifest(layout, active);
  if (reading.outcome === 'sound') return;
  throw new CommandFailure(
    'active-not-sound',
    `${reading.message} It is the active one: activate one that is sound first (lei publications lists them), so that none that could be served in its place is deleted.`,
  );
}

const ReleasedSchema = Type.Object({ released: Type.Array(Type.String()) });

/**
 * Those that no thread of a running service holds any more. The service keeps what has become active since: it
 * answers only when a swap that was under way has ended.
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
    'The running service is of another version: what it has released is not readable.',
  );
}

/** The pointer is read before each: a command may move it at any moment, which changes what is to be kept. */
async function deletePublications(layout: Layout, keep: number, ids: readonly string[]): Promise<Pruned> {
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
