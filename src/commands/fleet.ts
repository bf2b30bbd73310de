/** `lei fleet`: lists the nodes that share one state, one per line. */
import type { NodeSeen } from '../ports/fleet.ts';
import type { OpenFleet } from '../ports/state.ts';
import { CommandFailure, type Context, command } from './frame.ts';
import { textTable } from './result-texts.ts';

const heads = ['NAME', 'VERSION', 'ACTIVE', 'READY FOR', 'LAST SEEN'];

export function fleetCommand(openFleet: OpenFleet) {
  return command('fleet', 'show the nodes of a fleet and the publication that each serves', (context) =>
    showFleet(context, openFleet),
  );
}

async function showFleet({ config, result }: Context, openFleet: OpenFleet): Promise<void> {
  const opened = await openFleet(config);
  if (opened === null) {
    throw new CommandFailure(
      'bad-configuration',
      'LEI_SHARED_STATE is not set. Set it to the address that the nodes use, such as redis://host:6379/0.',
    );
  }
  try {
    const nodes = await opened.fleet.nodes();
    const now = Date.now();
    const rows = nodes.map((node) => cells(node, now));
    result(
      nodes,
      rows.length === 0 ? 'No node has reported within the last minute.' : textTable(heads, rows),
    );
  } finally {
    opened.close();
  }
}

function cells(
  { name, version, active, readyFor, refuses, reason, lastSeenAt, present }: NodeSeen,
  now: number,
) {
  const seconds = Math.max(0, Math.round((now - lastSeenAt) / 1_000));
  const seen = present ? `${seconds} s ago` : `gone for ${seconds} s`;
  const refusal = refuses === null ? '' : `; refuses ${refuses}: ${reason ?? ''}`;
  return [name, version, active ?? '-', readyFor ?? '-', seen + refusal];
}
