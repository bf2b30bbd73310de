/**
 * Checks who owns the control socket. The socket of a data folder with a long path is in /tmp under a predictable name:
 * another user could take the name first and answer commands in place of the service.
 */
import { lstatSync, statSync } from 'node:fs';
import type { Layout } from '../publication/layout.ts';

const root = 0;

/**
 * Call it once the socket is connected; before that, another could still take its place.
 * @returns why the socket must not be spoken to, a sentence; null if it is this user's, the data folder's owner's or
 * root's
 */
export function foreignSocket({ controlSocket, dataDir }: Layout): string | null {
  const own = process.geteuid?.();
  if (own === undefined) return null;
  const owner = ownerOf(() => lstatSync(controlSocket));
  if (owner === null)
    return `The control socket ${controlSocket} was removed as soon as it was connected to.`;
  if (owner === own || owner === root || owner === ownerOf(() => statSync(dataDir))) return null;
  return `The control socket ${controlSocket} belongs to another user (${owner}) and is not used. Have it removed, or choose a data folder with a shorter path: its socket is then in that folder.`;
}

/** Null if it is unknown. */
function ownerOf(look: () => { readonly uid: number }): number | null {
  try {
    return look().uid;
  } catch {
    return null;
  }
}
