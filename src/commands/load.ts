/** `lei load FILE…` and `lei history FILE…`: build a publication from files, verify it and make it the active one. */
import type { Config } from '../config.ts';
import {
  type GateName,
  gateDefaults,
  gateNames,
  type LoadRequest,
  loadRequest,
} from '../loader/load-request.ts';
import { CommandFailure, command, type Options } from './frame.ts';
import { describeLoaded, type LoadResult, loadAndActivate, readThreads, threadsOption } from './loading.ts';
import { readPublishedAt, readShare } from './options.ts';
import { counted } from './result-texts.ts';

export function loadCommand() {
  return building('load', 'build a publication from GLEIF files and activate it', requestOf)
    .argument('<files...>', 'files of any kind that GLEIF publishes, plain, zipped or gzipped, in any order')
    .option('--delta', 'apply the files to the active publication instead of replacing it')
    .option(
      '--published-at <time>',
      'source time (UTC), instead of the time in the files; required if no file states one',
    )
    .option(
      '--skip-gate <names...>',
      `load even if these gates refuse; put this option after the files: ${gateNames.join(', ')}`,
    )
    .option(
      '--min-entities <share>',
      `minimum number of entities, as a share of those in the active publication (default ${gateDefaults.entitiesShareMin})`,
    )
    .option('--max-bad-rows <share>', 'maximum share of bad rows (default LEI_MAX_BAD_ROWS)')
    .option(
      '--max-resolvable-drop <share>',
      `maximum drop in the share of resolvable relationships (default ${gateDefaults.resolvableDropMax})`,
    )
    .option(...threadsOption);
}

/** `lei history FILE…` recovers snapshots of companies. */
export function historyCommand() {
  return building(
    'history',
    'recover snapshots of companies from older level 1 files',
    (config, files, options) => ({
      ...loadRequest(config, files),
      ...readThreads(options['threads']),
      purpose: 'history',
    }),
    ({ manifest }) => ` It holds ${counted(manifest.counts.snapshots, 'snapshot')}.`,
  )
    .argument('<files...>', 'older level 1 files, in any order')
    .option(...threadsOption);
}

/** @param addition a further sentence about the publication */
function building(
  name: string,
  description: string,
  request: (config: Config, files: readonly string[], options: Options) => LoadRequest,
  addition: (loaded: LoadResult) => string = () => '',
) {
  return command(name, description, async (context, files, options) => {
    const loaded = await loadAndActivate(context, request(context.config, files, options), {
      activate: options['activate'] !== false,
    });
    const { value, text } = describeLoaded(loaded);
    context.result(value, text + addition(loaded));
  }).option('--no-activate', 'build the publication but do not activate it');
}

/** @throws CommandFailure naming an option whose value can't be used */
function requestOf(config: Config, files: readonly string[], options: Options): LoadRequest {
  const defaults = loadRequest(config, files);
  const { entitiesShareMin, resolvableDropMax } = gateDefaults;
  const { badRowsShareMax } = defaults.limits;
  return {
    ...defaults,
    ...readThreads(options['threads']),
    delta: options['delta'] === true,
    publishedAt: readPublishedAt(options['publishedAt']),
    limits: {
      entitiesShareMin: readShare('--min-entities', options['minEntities'], entitiesShareMin),
      badRowsShareMax: readShare('--max-bad-rows', options['maxBadRows'], badRowsShareMax),
      resolvableDropMax: readShare('--max-resolvable-drop', options['maxResolvableDrop'], resolvableDropMax),
    },
    skippedGates: readSkippedGates(options['skipGate']),
  };
}

/** Reads the names given to `--skip-gate`. @throws CommandFailure listing the gates */
function readSkippedGates(given: unknown): readonly GateName[] {
  if (!Array.isArray(given)) return [];
  return given.map((name) => {
    const gate = gateNames.find((known) => known === name);
    if (gate !== undefined) return gate;
    throw new CommandFailure(
      'unknown-gate',
      `There is no gate ${name}; the gates are ${gateNames.join(', ')}.`,
    );
  });
}
