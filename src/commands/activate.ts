/**
 * `lei activate ID` and `lei rollback`: make a sealed publication the active one, through the running service, or
 * otherwise by moving the pointer.
 */
import { type ControlClient, controlClient } from '../protocol/control-client.ts';
import type { Layout } from '../publication/layout.ts';
import {
  type Direction,
  movePointer,
  readablePointer,
  readPointer,
  retention,
  rollbackTargets,
} from '../publication/pointer.ts';
import { deletePublication, readManifest, sealedIds } from '../publication/sealed.ts';
import { tellSealed } from './data-folder.ts';
import { CommandFailure, command, expectedFailure } from './frame.ts';

export function activateCommand() {
  return command('activate', 'activate a publication', async ({ layout, result }, [id = '']) => {
    const { served } = await activate(layout, id);
    result(
      { publication: { id, datasetVersion: id, active: true }, served },
      `Publication ${id} is active${served ? ', and served' : ''}.`,
    );
  }).argument('<id>', 'id (dataset version) of the publication, as lei publications lists it');
}

export function rollbackCommand() {
  return command(
    'rollback',
    'go back to the publication that was active before',
    async ({ layout, result }) => {
      const pointer = readPointer(layout);
      if (pointer === null)
        throw new CommandFailure(
          'no-publication',
          'No publication is active, so there is none to go back from. Activate one with lei activate ID; lei publications lists them.',
        );
      const targets = rollbackTargets(pointer.id, pointer.previous);
      const before = targets.find(({ id }) => readManifest(layout, id).outcome === 'sound')?.id;
      if (before === undefined) {
        const why = targets.length === 0 ? noTarget : 'those that it could go back to are deleted or damaged';
        throw new CommandFailure(
          'no-previous',
          `There is no publication to roll back to: ${why}.${others(layout, pointer.id)}`,
        );
      }
      const { served } = await activate(layout, before, 'back');
      result(
        { publication: { id: before, datasetVersion: before, active: true }, from: pointer.id, served },
        `Publication ${before} is active again${served ? ', and served' : ''}; it was ${pointer.id}.`,
      );
    },
  );
}

/** The reason given if no publication can be rolled back to. */
export const noTarget =
  'a rollback goes back to a publication that was active before and that no rollback has left';

/** Advice if there are other publications. */
function others(layout: Layout, active: string): string {
  const hasOthers = sealedIds(layout).some((id) => id !== active);
  return hasOthers ? ' lei activate ID activates any other that lei publications lists.' : '';
}

/**
 * Returns once the publication is active and, if a service runs, served.
 * @throws CommandFailure if it can't be activated; the active one has not changed then, unless the service gave no
 *   answer: it may have moved the pointer before it ended
 */
export async function activate(
  layout: Layout,
  id: string,
  direction: Direction = 'forward',
  client: ControlClient = controlClient(layout),
): Promise<{ served: boolean }> {
  const reading = readManifest(layout, id);
  if (reading.outcome === 'missing')
    throw new CommandFailure('publication-missing', `${reading.message} ${tellSealed(layout)}`);
  if (reading.outcome !== 'sound')
    throw new CommandFailure(`publication-${reading.outcome}`, reading.message);
  const reply = await client.send({ op: 'activate', id, direction });
  if (reply === 'not-running') {
    activateOnDisk(layout, id, direction);
    return { served: false };
  }
  if (!reply.ok) {
    const goOn = unfitCodes.has(reply.code) ? '' : howToGoOn(id);
    throw new CommandFailure(
      reply.code,
      `The running service did not switch to ${id}: ${reply.message}${goOn}`,
    );
  }
  return { served: true };
}

function activateOnDisk(layout: Layout, id: string, direction: Direction): void {
  try {
    // A damaged pointer contains nothing that could be lost, so the new one replaces it.
    movePointer(layout, id, new Date(), readablePointer(layout), direction);
  } catch (error) {
    const refusal = expectedFailure(error);
    if (refusal === null) throw error;
    throw new CommandFailure(refusal.code, `${refusal.message}${howToGoOn(id)}`);
  }
}

/** A load may have taken an hour: the operator must not have to repeat it because the pointer could not be moved. */
function howToGoOn(id: string): string {
  return ` The publication itself is complete and sound; lei activate ${id} activates it.`;
}

/** Refusals whose cause is in the publication: trying again would not help. */
const unfitCodes: ReadonlySet<string> = new Set(['missing', 'damaged', 'newer-format', 'open-failed']);

/**
 * Deletes publications that were active once and are no longer kept. A running service does this itself. The previous
 * publication always stays, since cursors read it.
 */
export async function deleteOutdated(layout: Layout, keep: number): Promise<void> {
  const pointer = readablePointer(layout);
  if (pointer === null) return;
  const { outdated } = retention(sealedIds(layout), pointer, Math.max(2, keep));
  for (const id of outdated) await deletePublication(layout, id);
}
