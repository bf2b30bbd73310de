/** Opens a view of the fleet for a command, which is not a node of it. */
import type { OpenedFleet } from '../ports/state.ts';
import { Connection } from './connection.ts';
import { sharedLimits } from './limits.ts';
import { presence } from './nodes.ts';

export async function openFleet(url: string, node: string, version: string): Promise<OpenedFleet> {
  const store = new Connection({ url, deadlineMs: sharedLimits.workDeadlineMs });
  await store.start();
  return { fleet: presence(store, node, version), close: () => store.close() };
}
