/** `lei publish [ID] --to URL`: uploads a publication for a fleet's nodes to fetch. */
import { layout as layoutOf } from '../publication/layout.ts';
import { openWritableStore } from '../shipping/open-store.ts';
import { type Published, publish } from '../shipping/publish.ts';
import { type Swept, sweep } from '../shipping/sweep.ts';
import { chosenPublication } from './chosen-publication.ts';
import { everyFewSeconds } from './every-few-seconds.ts';
import { type Context, command, wholeNumber } from './frame.ts';

const help = `
Only what the store lacks is uploaded; run it again after an interruption. Nodes serve a publication once it is
announced (lei announce). The address is file:///folder or s3://bucket/prefix, with AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID,
AWS_SECRET_ACCESS_KEY and AWS_REGION as other S3 tools read them.`;

export function publishCommand() {
  return command('publish', 'upload a publication for the nodes of a fleet', run)
    .argument('[id]', 'id of the publication (default: the active one)')
    .requiredOption('--to <url>', 'the store: file:///folder or s3://bucket/prefix')
    .option(
      '--keep <n>',
      'afterwards remove older publications that nobody announces, and keep so many',
      wholeNumber(1, 1000),
    )
    .addHelpText('after', help);
}

async function run(context: Context, [given]: readonly string[], options: Readonly<Record<string, unknown>>) {
  const layout = layoutOf(context.config.dataDir);
  const manifest = chosenPublication(layout, given);
  const store = openWritableStore(String(options['to']));
  const published = await publish(store, layout, manifest, progressLines(context));
  const keep = options['keep'];
  const swept = typeof keep === 'number' ? await sweep(store, keep, Date.now(), manifest.id) : null;
  context.result({ ...published, swept }, describe(store.address, published, swept));
}

/** Reports every few seconds how much is read. */
function progressLines(context: Context): (bytes: number, all: number) => void {
  const say = everyFewSeconds(context.say);
  return (bytes, all) => say(() => `${megabytes(bytes)} of ${megabytes(all)}`);
}

function describe(address: string, published: Published, swept: Swept | null): readonly string[] {
  const { id, base, uploadedBytes, uploadedObjects, wholeBytes, changedBytes } = published;
  const change = base === null ? '' : ` A node that has ${base} fetches ${megabytes(changedBytes)}.`;
  return [
    `${id} is at ${address}: ${megabytes(wholeBytes)}, of which ${megabytes(uploadedBytes)} in ${uploadedObjects} objects were new.${change}`,
    ...(swept === null
      ? []
      : [
          `Removed ${swept.removed.length} publications and ${swept.removedObjects} objects (${megabytes(swept.freedBytes)}).`,
        ]),
  ];
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
