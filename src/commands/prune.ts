/** `lei prune --keep N`: deletes the publications that are not needed any more. */
import { controlClient } from '../protocol/control-client.ts';
import { type Layout, layout as layoutOf } from '../publication/layout.ts';
import { deletePublication, readManifest, sealedIds } from '../publication/sealed.ts';
import { readablePointer } from './activation.ts';
import { CommandFailure, type Context, command } from './frame.ts';

export function pruneCommand() {
  return command(
    'prune',
    'delete publications that are no longer needed',
    async (context, _args, options) => {
      const layout = layoutOf(context.config.dataDir);
      const outdated = outdatedIds(layout, readKeep(options['keep'], context));
      await release(layout, outdated);
      const freed = outdated.reduce((sum, id) => sum + bytesOf(layout, id), 0);
      for (const id of outdated) await deletePublication(layout, id);
      context.result(
        { deleted: outdated, freedBytes: freed },
        outdated.length === 0
          ? 'There is nothing to delete.'
          : `Deleted ${outdated.join(', ')} (${(freed / 1e6).toFixed(1)} MB).`,
      );
    },
  ).option('--keep <n>', 'how many to keep, the active one included (default LEI_KEEP_PUBLICATIONS)');
}

function readKeep(given: unknown, { config }: Context): number {
  if (given === undefined) return config.keepPublications;
  const keep = Number(given);
  if (Number.isInteger(keep) && keep >= 1) return keep;
  throw new CommandFailure(
    'bad-option',
    `--keep is ${given} but must be a whole number of at least 1: the active publication always stays.`,
  );
}

/** All but the active one and the newest others: those active before first, then those never active. */
function outdatedIds(layout: Layout, keep: number): readonly string[] {
  const pointer = readablePointer(layout);
  const sealed = sealedIds(layout);
  if (pointer === null && sealed.length > 0) {
    throw new CommandFailure(
      'no-active',
      'No publication is active, so none can be told to be outdated; activate one first.',
    );
  }
  const wereActive = pointer === null ? [] : [pointer.id, ...pointer.previous.map(({ id }) => id)];
  const inOrder = [...new Set([...wereActive.filter((id) => sealed.includes(id)), ...sealed])];
  return inOrder.slice(keep);
}

function bytesOf(layout: Layout, id: string): number {
  const reading = readManifest(layout, id);
  return reading.outcome === 'sound' ? reading.manifest.environment.bytes : 0;
}

/** Files are deleted only after every thread of a running service has released them. */
async function release(layout: Layout, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const reply = await controlClient(layout).send({ op: 'release', ids });
  if (reply !== 'not-running' && !reply.ok) throw new CommandFailure(reply.code, reply.message);
}
