/** `lei rollback`: makes the previously active publication the active one again. */
import { type Layout, layout as layoutOf } from '../publication/layout.ts';
import { readPointer } from '../publication/pointer.ts';
import { readManifest, sealedIds } from '../publication/sealed.ts';
import { activate } from './activation.ts';
import { CommandFailure, command } from './frame.ts';

export function rollbackCommand() {
  return command('rollback', 'go back to the publication that was active before', async (context) => {
    const layout = layoutOf(context.config.dataDir);
    const pointer = readPointer(layout);
    if (pointer === null)
      throw new CommandFailure(
        'no-publication',
        'No publication is active, so there is none to go back from. Activate one with lei activate ID; lei publications lists them.',
      );
    // Look only before the active one's first activation: otherwise two rollbacks in a row would cancel out.
    const before = earlier(pointer.previous, pointer.id).find(
      (id) => readManifest(layout, id).outcome === 'sound',
    );
    if (before === undefined) {
      throw new CommandFailure(
        'no-previous',
        `There is no older publication to roll back to.${others(layout, pointer.id)}`,
      );
    }
    const { served } = await activate(layout, before);
    context.result(
      { publication: { id: before, datasetVersion: before, active: true }, from: pointer.id, served },
      `Publication ${before} is active again${served ? ', and served' : ''}; it was ${pointer.id}.`,
    );
  });
}

/** Ids active before the given one's first activation, newest first; all others if it has no earlier activation. */
function earlier(previous: readonly { readonly id: string }[], active: string): readonly string[] {
  const ids = previous.map(({ id }) => id);
  const first = ids.lastIndexOf(active);
  return ids.slice(first + 1).filter((id) => id !== active);
}

/** Advice if there are publications that were never active before this one. */
function others(layout: Layout, active: string): string {
  const hasOthers = sealedIds(layout).some((id) => id !== active);
  return hasOthers ? ' lei activate ID activates any other that lei publications lists.' : '';
}
