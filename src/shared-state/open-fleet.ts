/** Opens one node's view of its fleet. */
import type { OpenedFleet } from '../ports/state.ts';
import { Connection } from './connection.ts';
import { sharedLimits } from './limits.ts';
import { presence } from './nodes.ts';

/** @param present whether this node says each second that it is there; a command only looks */
export async function openFleet(
  url: string,
  node: string,
  version: string,
  present: boolean,
): Promise<OpenedFleet> {
  const store = new Connection({ url, deadlineMs: sharedLimits.workDeadlineMs });
  await store.start();
  const fleet = presence(store, node, version);
  const beat = () => void fleet.beat().catch(() => {});
  if (present) beat();
  const beating = present ? setInterval(beat, sharedLimits.heartbeatMs) : undefined;
  return {
    fleet,
    close() {
      clearInterval(beating);
      store.close();
    },
  };
}
