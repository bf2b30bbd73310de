/** `lei announce` sets which publication a fleet serves; `lei fleet` lists its nodes. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Fleet, NodeSeen } from '../ports/fleet.ts';
import type { OpenFleet } from '../ports/state.ts';
import { isPublicationId } from '../publication/layout.ts';
import {
  changeAnnouncement,
  type FleetAnnouncement,
  move,
  pin,
  readAnnouncement,
  type ShippedPublication,
  targetsIn,
  unpin,
} from '../shipping/announcement.ts';
import { shippingLimits } from '../shipping/limits.ts';
import type { WritableStore } from '../shipping/object-store.ts';
import { openWritableStore } from '../shipping/open-store.ts';
import { rollOut } from '../shipping/roll-out.ts';
import { notPublished, readShipment } from '../shipping/shipment.ts';
import { readSigningKey } from '../shipping/signature.ts';
import { noTarget } from './activate.ts';
import { type Action, CommandFailure, type Context, command, type Options, wholeNumber } from './frame.ts';
import { numberIn, readInterval, textIn } from './options.ts';
import { everyFewSeconds } from './progress.ts';
import { textTable } from './result-texts.ts';
import { onInterrupt } from './signals.ts';

const help = `
  lei announce ID --to URL              waits until all nodes are ready for ID; then all swap to it at the same moment
  lei announce ID --to URL --force      announces ID at once; each node swaps as soon as it has ID
  lei announce --rollback --to URL      goes back to the publication that was active before, also a newer one; a
                                        second one goes further back
  lei announce --pin ID --to URL        announces ID and refuses all others until --unpin

Every form takes --sign KEYFILE. Nodes with LEI_PUBLICATION_KEY follow only what this key has signed.

The first form needs LEI_SHARED_STATE, where each node reports that it is ready. At the deadline the fleet swaps if at
least half of the nodes are ready; on the others /readyz answers 503 until they serve ID. If a node refuses ID, no node
swaps.`;

export function announceCommand(openFleet: OpenFleet) {
  const run: Action = async (context, [id = null], options) => {
    const store = openWritableStore(String(options['to']));
    const keyFile = textIn(options, 'sign');
    const key = keyFile === null ? null : await readSigningKey(keyFile);
    const announced = await chosenChange({ context, store, key, openFleet, options }, id);
    context.result(announced, describe(announced));
  };
  return command('announce', 'choose the publication that the nodes of a fleet serve', run)
    .argument('[id]', 'id of a published publication')
    .requiredOption('--to <url>', 'the store: file:///folder or s3://bucket/prefix')
    .option('--nodes <n>', 'wait until at least n nodes are ready', wholeNumber(1, 100_000))
    .option(
      '--deadline <interval>',
      'how long to wait for nodes, such as 30s or 10m; after it /readyz of a node that is not ready answers 503 (default: 10m; none with --force, --pin and --rollback)',
    )
    .option(
      '--sign <keyfile>',
      'sign with this Ed25519 private key (PEM), for nodes with LEI_PUBLICATION_KEY',
    )
    .option('--force', 'do not wait for nodes to be ready')
    .option('--rollback', 'announce the publication that was active before')
    .option('--pin <id>', 'announce this publication and refuse all others until --unpin')
    .option('--unpin', 'allow other publications again')
    .addHelpText('after', help);
}

interface FleetWish {
  readonly context: Context;
  readonly store: WritableStore;
  /** Signs the announcement; null for none. */
  readonly key: KeyObject | null;
  readonly openFleet: OpenFleet;
  readonly options: Options;
}

/** The announcement that was made; `leftBehind` names the nodes that were not ready in time. */
type AnnouncementResult = FleetAnnouncement & { readonly leftBehind: readonly string[] };

function describe({ active, pinned, generation, leftBehind }: AnnouncementResult): readonly string[] {
  const what =
    active === null ? 'Nothing is announced' : `${active.id} is announced as of ${active.activatedAt}`;
  const line = `${what}${pinned ? ', pinned' : ''} (generation ${generation}).`;
  if (leftBehind.length === 0) return [line];
  return [
    line,
    `Not ready by the deadline: ${leftBehind.join(', ')}. On those that can read the announcement, /readyz answers 503 until they serve it.`,
  ];
}

async function chosenChange(wish: FleetWish, id: string | null): Promise<AnnouncementResult> {
  const { store, key, options } = wish;
  const { pin: pinned, unpin: unpinned, rollback, force, nodes } = options;
  const asked = [id, pinned, unpinned, rollback].filter((each) => each !== null && each !== undefined);
  if (asked.length !== 1) {
    throw new CommandFailure(
      'bad-option',
      'Give exactly one of ID, --rollback, --pin ID or --unpin; see --help.',
    );
  }
  const waits = id !== null && force !== true;
  if (nodes !== undefined && !waits)
    throw new CommandFailure('bad-option', '--nodes is allowed only with an ID and without --force.');
  const deadline = options['deadline'] === undefined ? null : readInterval('--deadline', options['deadline']);
  if (waits) return announceWhenReady(wish, id, deadline ?? shippingLimits.deadlineMs);
  const change = await changeAtOnce(wish, id, deadline);
  return { ...(await changeAnnouncement(store, change, key)), leftBehind: [] };
}

/** The change for requests that do not wait for nodes. It takes effect once every node has had time to read it. */
async function changeAtOnce(
  { store, key, options: { pin: pinned, unpin: unpinned } }: FleetWish,
  id: string | null,
  deadlineMs: number | null,
) {
  if (unpinned === true) return unpin;
  const now = new Date();
  const deadline = deadlineMs === null ? null : new Date(now.getTime() + deadlineMs);
  const timing = { now, leadMs: shippingLimits.activationLeadMs, deadline };
  if (typeof pinned === 'string') return pin(await published(store, pinned), timing);
  if (id === null) return move(await publishedBefore(store, key), timing, 'back');
  return move(await published(store, id), timing);
}

/** The nearest publication to go back to that the store still has. Nodes that keep it swap at once. */
async function publishedBefore(store: WritableStore, key: KeyObject | null): Promise<ShippedPublication> {
  const present = await readAnnouncement(store, { key: key === null ? null : createPublicKey(key) });
  if (present === null)
    throw new CommandFailure(
      'no-previous',
      'Nothing has been announced yet; lei announce ID --to URL announces the first.',
    );
  const targets = targetsIn(present);
  for (const { id } of targets) {
    const found = await shippedIn(store, id);
    if (found !== null) return found;
  }
  const why = targets.length === 0 ? noTarget : 'the store no longer has those that it could go back to';
  throw new CommandFailure('no-previous', `There is no publication to roll back to: ${why}.`);
}

async function announceWhenReady(
  wish: FleetWish,
  id: string,
  deadlineMs: number,
): Promise<AnnouncementResult> {
  const { context, store, key, openFleet, options } = wish;
  const proposed = await inFleet(openFleet, context.config, async (fleet) => {
    using interrupt = onInterrupt(
      new CommandFailure('interrupted', `Interrupted; no node has swapped to ${id}.`),
    );
    // A shared state that does not answer now tells of no node until the deadline.
    await fleet.nodes();
    return await rollOut({
      store,
      key,
      fleet,
      named: await published(store, id),
      nodes: numberIn(options, 'nodes') ?? 1,
      deadlineMs,
      waiting: everyFewSeconds(context.say),
      aborted: interrupt.signal,
    });
  });
  if (proposed === null) {
    throw new CommandFailure(
      'bad-option',
      'LEI_SHARED_STATE is not set, so it is unknown which nodes are ready. Set it, or announce without waiting with --force.',
    );
  }
  return { ...proposed.announcement, leftBehind: proposed.leftBehind };
}

/** @returns what `work` returns; null if the settings name no shared state */
async function inFleet<Result>(
  openFleet: OpenFleet,
  config: Config,
  work: (fleet: Fleet) => Promise<Result>,
): Promise<Result | null> {
  const opened = await openFleet(config);
  if (opened === null) return null;
  try {
    return await work(opened.fleet);
  } finally {
    opened.close();
  }
}

/** Null if the store has no such publication. */
async function shippedIn(store: WritableStore, id: string): Promise<ShippedPublication | null> {
  const read = await readShipment(store, id);
  return read === null ? null : { id, shipment: read.sha256 };
}

/** @throws CommandFailure if the store has no such publication */
async function published(store: WritableStore, id: string): Promise<ShippedPublication> {
  const found = isPublicationId(id) ? await shippedIn(store, id) : null;
  if (found !== null) return found;
  throw new CommandFailure('no-publication', notPublished(store, id));
}

const heads = ['NAME', 'VERSION', 'ACTIVE', 'READY FOR', 'LAST SEEN'];

export function fleetCommand(openFleet: OpenFleet) {
  return command('fleet', 'show the nodes of a fleet and the publication that each serves', (context) =>
    showFleet(context, openFleet),
  );
}

async function showFleet({ config, result }: Context, openFleet: OpenFleet): Promise<void> {
  const nodes = await inFleet(openFleet, config, (fleet) => fleet.nodes());
  if (nodes === null) {
    throw new CommandFailure(
      'bad-configuration',
      'LEI_SHARED_STATE is not set. Set it to the address that the nodes use, such as redis://host:6379/0.',
    );
  }
  const now = Date.now();
  const rows = nodes.map((node) => cells(node, now));
  result(nodes, rows.length === 0 ? 'No node has reported within the last minute.' : textTable(heads, rows));
}

function cells(
  { name, version, active, readyFor, refuses, reason, lastSeenAt, present }: NodeSeen,
  now: number,
) {
  const seconds = Math.max(0, Math.round((now - lastSeenAt) / 1_000));
  const seen = present ? `${seconds} s ago` : `gone for ${seconds} s`;
  const refusal = refuses === null ? '' : `refuses ${refuses}: `;
  const remark = refuses === null && reason === null ? '' : `; ${refusal}${reason ?? ''}`;
  return [name, version || '-', active ?? '-', readyFor ?? '-', seen + remark];
}
