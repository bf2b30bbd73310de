/**
 * Takes a publication out of service in which damage was found while it was served. The newest sound one takes its
 * place, as at a start. A note in its folder keeps it out after the next start, until `lei verify` finds it sound or a
 * node fetches it again.
 */
import { reasonOf } from '../../errors.ts';
import type { HeldPublication } from '../../http/publication-texts.ts';
import { readablePointer } from '../../publication/pointer.ts';
import { forgetDamage, noteDamage } from '../../publication/sealed.ts';
import { atOnce, serveNewestSound } from './start.ts';
import type { SwapParts } from './swap.ts';

/** Bytes of a publication are not the sealed ones. */
export interface Damage {
  /** A sentence. */
  readonly message: string;
  /**
   * Whether each read of the damaged file is checked, so that it gives right answers or none. Tables and the search file are
   * not: any answer could come from the damaged bytes.
   */
  readonly isContained: boolean;
}

/**
 * @param id of a publication that is held
 * @param damaged publications that must not take its place
 */
export async function takeOut(
  parts: SwapParts,
  id: string,
  damage: Damage,
  damaged: ReadonlySet<string>,
): Promise<void> {
  const { layout, serving, threads } = parts;
  const active = serving.active();
  note(parts, id, damage);
  // As long as it is held it would count as sound, because it is open.
  serving.letGo(id);
  if (active?.manifest.id === id && !(await replace(parts, active, damage, damaged))) {
    serving.hold(active);
    await forgetDamage(layout, id);
  } else await threads.close(id);
}

/** @returns false if the damaged publication stays active */
async function replace(
  parts: SwapParts,
  active: HeldPublication,
  { isContained }: Damage,
  damaged: ReadonlySet<string>,
): Promise<boolean> {
  const { layout, serving, log } = parts;
  if (!isContained) serving.serveNone();
  await serveNewestSound(atOnce(parts), readablePointer(layout), damaged);
  if (serving.active() === null)
    log.error('No other publication can be served, so every question about data is answered with 503.');
  if (serving.active() !== active) return true;
  log.error(
    'No other publication can be served. The damaged one stays; only damaged records are answered with 503.',
  );
  return false;
}

/** On a full or read-only disk it is kept out only as long as the service runs. */
function note({ layout, log }: SwapParts, id: string, { message }: Damage): void {
  try {
    noteDamage(layout, id, message);
  } catch (error) {
    log.warn('The damage could not be noted on the disk.', { publication: id, reason: reasonOf(error) });
  }
}
