/** `lei load FILE…`: builds a publication from files, verifies it and makes it the active one. */
import type { Config } from '../config.ts';
import { gateDefaults, gateNames, type LoadRequest, loadRequest } from '../loader/load-request.ts';
import { command, type Options } from './frame.ts';
import { describeLoaded, loadAndActivate } from './loading.ts';
import { readShare, readSkippedGates, readThreads, readTime, threadsOption } from './options.ts';

export function loadCommand() {
  const load = command(
    'load',
    'build a publication from GLEIF files and activate it',
    async (context, files, options) => {
      const request = requestOf(context.config, files, options);
      const loaded = await loadAndActivate(context, request, { activate: options['activate'] !== false });
      const { value, text } = describeLoaded(loaded);
      context.result(value, text);
    },
  );
  return load
    .argument('<files...>', 'files of any kind that GLEIF publishes, plain, zipped or gzipped, in any order')
    .option('--no-activate', 'build the publication but do not activate it')
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

/** @throws CommandFailure naming an option whose value can't be used */
function requestOf(config: Config, files: readonly string[], options: Options): LoadRequest {
  const defaults = loadRequest(config, files);
  const { entitiesShareMin, resolvableDropMax } = gateDefaults;
  const { badRowsShareMax } = defaults.limits;
  return {
    ...defaults,
    ...readThreads(options['threads']),
    delta: options['delta'] === true,
    publishedAt: readTime('--published-at', options['publishedAt']),
    limits: {
      entitiesShareMin: readShare('--min-entities', options['minEntities'], entitiesShareMin),
      badRowsShareMax: readShare('--max-bad-rows', options['maxBadRows'], badRowsShareMax),
      resolvableDropMax: readShare('--max-resolvable-drop', options['maxResolvableDrop'], resolvableDropMax),
    },
    skippedGates: readSkippedGates(options['skipGate']),
  };
}
