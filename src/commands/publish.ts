/** `lei publish [ID] --to URL`: uploads a publication for a fleet's nodes to fetch. */
import { openWritableStore } from '../shipping/open-store.ts';
import { type PublishResult, publish } from '../shipping/publish.ts';
import { type Swept, sweep } from '../shipping/sweep.ts';
import { chosenPublication } from './data-folder.ts';
import { type Context, command, type Options } from './frame.ts';
import { numberIn, readKeep } from './options.ts';
import { progressDisplay } from './progress.ts';
import { counted, megabytes } from './result-texts.ts';

const help = `
The command uploads only what the store lacks; after an interruption, run it again. Nodes serve a publication once it is
announced (lei announce). URL is file:///folder or s3://bucket/prefix. For S3, set AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID,
AWS_SECRET_ACCESS_KEY and AWS_REGION as for other S3 tools.`;

export function publishCommand() {
  return command('publish', 'upload a publication for the nodes of a fleet', run)
    .argument('[id]', 'id of the publication (default: the active one)')
    .requiredOption('--to <url>', 'the store: file:///folder or s3://bucket/prefix')
    .option(
      '--keep <n>',
      'afterwards keep n publications, and remove older ones that are not announced',
      readKeep,
    )
    .addHelpText('after', help);
}

async function run(context: Context, [given]: readonly string[], options: Options) {
  const { layout } = context;
  const manifest = chosenPublication(layout, given);
  const store = openWritableStore(String(options['to']));
  const published = await publishShowing(store, layout, manifest);
  const keep = numberIn(options, 'keep');
  const swept = keep === null ? null : await sweep(store, keep, Date.now(), manifest.id);
  context.result({ ...published, swept }, describe(store.address, published, swept));
}

async function publishShowing(
  ...[store, layout, manifest]: Parameters<typeof publish>
): Promise<PublishResult> {
  const phase = 'publishing';
  using display = progressDisplay(phase);
  return await publish(store, layout, manifest, (bytes, bytesTotal) =>
    display.update({ phase, progress: bytes / bytesTotal, bytes, bytesTotal, rows: 0 }),
  );
}

function describe(address: string, published: PublishResult, swept: Swept | null): readonly string[] {
  const { id, base, uploadedBytes, uploadedObjects, wholeBytes, changedBytes } = published;
  const change = base === null ? '' : ` A node that has ${base} fetches ${megabytes(changedBytes)}.`;
  return [
    `${id} is at ${address}. A new node fetches ${megabytes(wholeBytes)}.${change} Uploaded ${megabytes(uploadedBytes)} in ${counted(uploadedObjects, 'new object')}.`,
    ...(swept === null
      ? []
      : [
          `Removed ${counted(swept.removed.length, 'publication')} and ${counted(swept.removedObjects, 'object')} (${megabytes(swept.freedBytes)}).`,
        ]),
  ];
}
