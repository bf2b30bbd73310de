/** `lei update`: downloads what GLEIF has published since the active publication and loads it. */
import { setTimeout as wait } from 'node:timers/promises';
import { ExpectedFailure, reasonOf } from '../errors.ts';
import { timestamp } from '../lei/dates.ts';
import type { Choice, FetchWish } from '../loader/command/fetch/choose-files.ts';
import {
  cleanDownloads,
  type FetchedFile,
  fetchUpdate,
  findUpdate,
} from '../loader/command/fetch/fetch-update.ts';
import { readHeld } from '../loader/command/fetch/held.ts';
import { earliestTime, latestTime } from '../loader/command/fetch/publishers.ts';
import { createTransport, type Transport } from '../loader/command/fetch/transport.ts';
import { withUpdateLock } from '../loader/command/load-lock.ts';
import { type LoadRequest, loadRequest } from '../loader/load-request.ts';
import { controlClient } from '../protocol/control-client.ts';
import { noteUpdate } from '../publication/last-update.ts';
import { inspectInProcess } from '../serve/swap/inspect-publication.ts';
import { withoutCredentials } from '../urls.ts';
import {
  CommandFailure,
  type Context,
  command,
  expectedFailure,
  linesOf,
  type Options,
  oneOf,
  signed,
} from './frame.ts';
import { describeLoaded, loadAndActivate, readThreads, serviceTeller, threadsOption } from './loading.ts';
import { formatIn, readInterval } from './options.ts';
import { downloadDisplay } from './progress.ts';
import { megabytes } from './result-texts.ts';
import { onInterrupt } from './signals.ts';

const formats: readonly FetchWish['format'][] = ['xml', 'csv', 'json'];

export function updateCommand() {
  return command('update', 'fetch what GLEIF has published since the active publication, and load it', update)
    .option('--every <interval>', 'keep running, and check again after each interval, such as 8h, 30m or 1d')
    .option('--full', 'fetch the full files even if a delta would do')
    .option(
      '--format <format>',
      'format of the full files: xml (complete), csv or json',
      oneOf(formats),
      'xml',
    )
    .option('--dry-run', 'show what would be fetched, and fetch nothing')
    .option(...threadsOption);
}

interface Round {
  readonly context: Context;
  readonly wish: FetchWish;
  readonly dryRun: boolean;
  /** As in {@link LoadRequest}. */
  readonly threads: Pick<LoadRequest, 'threads'>;
  readonly signal: AbortSignal;
}

async function update(context: Context, _args: readonly string[], options: Options): Promise<void> {
  const every = options['every'] === undefined ? null : readInterval('--every', options['every']);
  const dryRun = options['dryRun'] === true;
  if (dryRun && every !== null) {
    throw new CommandFailure('bad-option', '--dry-run shows one update; give it without --every.');
  }
  using interrupt = onInterrupt(
    new CommandFailure(
      'interrupted',
      'The update was interrupted; nothing was changed, and the downloaded files are kept for the next update.',
    ),
  );
  const round: Round = {
    context,
    threads: readThreads(options['threads']),
    wish: { full: options['full'] === true, format: formatIn(options, formats, 'xml') },
    dryRun,
    signal: interrupt.signal,
  };
  if (every === null) await updateOnce(round);
  else await updateAgainAndAgain(round, every);
}

/** Runs until a signal, which then counts as success. A failed round is reported, and the next one tries again. */
async function updateAgainAndAgain(round: Round, everyMs: number): Promise<void> {
  const { context, signal } = round;
  while (!signal.aborted) {
    // A clock that never goes back; the time of day may be set back by hours.
    const startedAt = performance.now();
    try {
      await updateOnce(round);
    } catch (error) {
      if (signal.aborted) break;
      const expected = expectedFailure(error);
      if (expected === null) throw error;
      tellFailure(context, expected);
    }
    const pause = Math.max(0, startedAt + everyMs - performance.now());
    context.say(`Checking again at ${timestamp(new Date(Date.now() + pause))}.`);
    await wait(pause, undefined, { signal }).catch(() => {});
  }
}

function tellFailure(context: Context, failure: ExpectedFailure): void {
  const { code, message } = failure;
  if (context.json) context.result({ error: { code, message } }, '');
  else context.say(signed(linesOf(failure)));
}

/** Find the newest files, choose those that are needed, download them, load them. */
async function updateOnce(round: Round): Promise<void> {
  const { context, wish, dryRun } = round;
  const { layout } = context;
  await withUpdateLock(layout, async () => {
    const held = await readHeld(layout, context.say, inspectInProcess(context.config.dataDir));
    const transport = createTransport(context.config, round.signal, context.say);
    const choice = await tellingService(round, 'looking', () =>
      findUpdate(transport, context.config, held, wish),
    );
    context.say(choice.reason);
    if (choice.mode === 'nothing' || dryRun) tellChoice(context, choice);
    else await fetchAndLoad(round, transport, choice);
    if (!dryRun) noteUpdate(layout, new Date());
  });
}

async function fetchAndLoad(round: Round, transport: Transport, choice: Choice): Promise<void> {
  const { context } = round;
  const files = await fetchFiles(round, transport, choice);
  round.signal.throwIfAborted();
  const times = { contentTimeMin: earliestTime(transport, choice), contentTimeMax: latestTime(transport) };
  const loaded = await loadFiles(round, choice, files, times);
  cleanDownloads(context.layout.downloads);
  const { value, text } = describeLoaded(loaded);
  const { mode, reason, publishedAt } = choice;
  context.result(
    { updated: true, mode, reason, publishedAt, files: files.map(describeFile), ...value },
    text,
  );
}

/** Downloads, and reports progress to the operator and to a running service. */
async function fetchFiles(
  round: Round,
  transport: Transport,
  choice: Choice,
): Promise<readonly FetchedFile[]> {
  using display = downloadDisplay(choice.files);
  const line = { ...transport, say: display.message };
  return await tellingService(round, 'downloading', (tell) =>
    fetchUpdate(line, choice, round.context.layout.downloads, (fetching) => tell(display.update(fetching))),
  );
}

/** Reports progress and failure to a running service, whose status shows nothing else about an update. */
async function tellingService<Done>(
  { context: { layout }, dryRun, signal }: Round,
  phase: string,
  work: (tell: (progress: number) => void) => Promise<Done>,
): Promise<Done> {
  const running = !dryRun && (await controlClient(layout).send({ op: 'ping' })) !== 'not-running';
  const teller = serviceTeller(layout, running);
  try {
    const done = await work((progress) => teller.loading(phase, progress));
    await teller.over(null);
    return done;
  } catch (error) {
    await teller.over(signal.aborted ? null : reasonOf(error), phase);
    throw error;
  }
}

async function loadFiles(
  { context, threads }: Round,
  choice: Choice,
  files: readonly FetchedFile[],
  times: Pick<LoadRequest, 'contentTimeMin' | 'contentTimeMax'>,
) {
  const request = {
    ...loadRequest(
      context.config,
      files.map(({ path }) => path),
    ),
    ...threads,
    delta: choice.mode === 'delta',
    publishedAt: choice.publishedAt,
    strictRecordCount: true,
    ...times,
    recordCounts: Object.fromEntries(
      files.flatMap(({ name, records }) => (records === null ? [] : [[name, records]])),
    ),
  };
  try {
    return await loadAndActivate(context, request, { activate: true });
  } catch (error) {
    if (!(error instanceof ExpectedFailure)) throw error;
    // Delete an unreadable file: the next update would otherwise use it.
    if (badFileCodes.has(error.code)) cleanDownloads(context.layout.downloads);
    else context.say(`The downloaded files are kept in ${context.layout.downloads}.`);
    throw error;
  }
}

const badFileCodes: ReadonlySet<string> = new Set(['bad-file', 'record-count', 'future-date', 'stale-file']);

function tellChoice(context: Context, { mode, reason, publishedAt, files }: Choice): void {
  const listed = files.map(({ name, bytes, records, url }) => ({
    name,
    bytes,
    records,
    url: withoutCredentials(url),
  }));
  const lines = listed.map(({ name, bytes }) => (bytes === null ? name : `${name}, ${megabytes(bytes)}`));
  const text =
    mode === 'nothing' ? 'Nothing new.' : [`Would load (${mode}):`, ...lines.map((line) => `  ${line}`)];
  context.result({ updated: false, mode, reason, publishedAt, files: listed }, text);
}

function describeFile({ name, bytes, records, fetched }: FetchedFile) {
  return { name, bytes, records, fetched };
}
