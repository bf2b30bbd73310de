/** `lei announce`: says which publication a fleet serves. */
import { isPublicationId } from '../publication/layout.ts';
import {
  changeAnnouncement,
  earlier,
  type FleetAnnouncement,
  move,
  pin,
  readAnnouncement,
  unpin,
} from '../shipping/announcement.ts';
import type { WritableStore } from '../shipping/object-store.ts';
import { openWritableStore } from '../shipping/open-store.ts';
import { readShipment } from '../shipping/shipment.ts';
import { CommandFailure, type Context, command } from './frame.ts';

const help = `
  lei announce ID --to URL --force      nodes swap to ID, ready or not
  lei announce --rollback --to URL      back to the publication that was active before
  lei announce --pin ID --to URL        ID, and nothing else until --unpin`;

export function announceCommand() {
  return command('announce', 'say which publication the nodes of a fleet serve', run)
    .argument('[id]', 'id of a published publication')
    .requiredOption('--to <url>', 'the store: file:///folder or s3://bucket/prefix')
    .option('--force', 'do not wait until nodes are ready')
    .option('--rollback', 'announce the publication that was active before')
    .option('--pin <id>', 'announce this publication, and refuse others')
    .option('--unpin', 'let others be announced again')
    .addHelpText('after', help);
}

async function run(context: Context, [id]: readonly string[], options: Readonly<Record<string, unknown>>) {
  const store = openWritableStore(String(options['to']));
  const announced = await chosenChange(store, id ?? null, options);
  const { generation, active, pinned } = announced;
  const what =
    active === null ? 'Nothing is announced' : `${active.id} is announced since ${active.activatedAt}`;
  context.result(announced, `${what}${pinned ? ', pinned' : ''} (generation ${generation}).`);
}

function chosenChange(
  store: WritableStore,
  id: string | null,
  options: Readonly<Record<string, unknown>>,
): Promise<FleetAnnouncement> {
  const { pin: pinned, unpin: unpinned, rollback, force } = options;
  const asked = [id, pinned, unpinned, rollback].filter((each) => each !== null && each !== undefined);
  if (asked.length !== 1) {
    throw new CommandFailure(
      'bad-option',
      'Give one of an id, --rollback, --pin ID and --unpin; see --help.',
    );
  }
  if (unpinned === true) return changeAnnouncement(store, unpin);
  if (rollback === true) return rollBack(store);
  if (typeof pinned === 'string') return announcePinned(store, pinned);
  if (force !== true) throw readinessUnknown;
  return announceId(store, id ?? '');
}

const readinessUnknown = new CommandFailure(
  'bad-option',
  "Without LEI_SHARED_STATE nobody's readiness is known; --force announces all the same.",
);

async function announceId(store: WritableStore, id: string): Promise<FleetAnnouncement> {
  return changeAnnouncement(store, move(await published(store, id), new Date()));
}

async function announcePinned(store: WritableStore, id: string): Promise<FleetAnnouncement> {
  return changeAnnouncement(store, pin(await published(store, id), new Date()));
}

/** The publication was announced before, so nodes that keep it swap at once. */
async function rollBack(store: WritableStore): Promise<FleetAnnouncement> {
  const present = await readAnnouncement(store);
  if (present === null) throw new CommandFailure('no-previous', 'Nothing was announced yet.');
  return announceId(store, earlier(present).id);
}

/** @throws CommandFailure where the store has no such publication */
async function published(store: WritableStore, id: string) {
  const read = isPublicationId(id) ? await readShipment(store, id) : null;
  if (read !== null) return { id, shipment: read.sha256 };
  throw new CommandFailure(
    'no-publication',
    `${store.address} has no publication ${id}; lei publish ${id} --to … uploads it.`,
  );
}
