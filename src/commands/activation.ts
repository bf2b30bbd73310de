/** Makes a sealed publication the active one: through the running service, or otherwise by moving the pointer. */
import { type ControlClient, controlClient } from '../protocol/control-client.ts';
import type { Layout } from '../publication/layout.ts';
import { movePointer, readablePointer } from '../publication/pointer.ts';
import { retention } from '../publication/retention.ts';
import { deletePublication, readManifest, sealedIds } from '../publication/sealed.ts';
import { CommandFailure, expectedFailure } from './frame.ts';

/**
 * Returns once the publication is active and, if a service runs, served.
 * @throws CommandFailure if it can't be activated; the active one has not changed then, unless the service gave no
 *   answer: it may have moved the pointer before it ended
 */
export async function activate(
  layout: Layout,
  id: string,
  client: ControlClient = controlClient(layout),
): Promise<{ served: boolean }> {
  const reading = readManifest(layout, id);
  if (reading.outcome !== 'sound')
    throw new CommandFailure(`publication-${reading.outcome}`, reading.message);
  const reply = await client.send({ op: 'activate', id });
  if (reply === 'not-running') {
    activateOnDisk(layout, id);
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

function activateOnDisk(layout: Layout, id: string): void {
  try {
    // A damaged pointer contains nothing that could be lost, so the new one replaces it.
    movePointer(layout, id, new Date(), readablePointer(layout));
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
