/** `lei load FILE…`: builds a publication from files, verifies it, makes it the active one. */
import { gateDefaults, gateNames, loadRequest } from '../loader/load-request.ts';
import { command } from './frame.ts';
import { describeLoaded, loadAndActivate } from './loading.ts';
import { readShare, readSkippedGates, readTime } from './options.ts';

export function loadCommand() {
  const load = command(
    'load',
    'build a publication from GLEIF files and make it the active one',
    async (context, files, options) => {
      const defaults = loadRequest(context.config, files);
      const loaded = await loadAndActivate(
        context,
        {
          ...defaults,
          delta: options['delta'] === true,
          publishedAt: readTime('--published-at', options['publishedAt']),
          limits: {
            entitiesShareMin: readShare(
              '--min-entities',
              options['minEntities'],
              gateDefaults.entitiesShareMin,
            ),
            badRowsShareMax: readShare(
              '--max-bad-rows',
              options['maxBadRows'],
              defaults.limits.badRowsShareMax,
            ),
            resolvableDropMax: readShare(
              '--max-resolvable-drop',
              options['maxResolvableDrop'],
              gateDefaults.resolvableDropMax,
            ),
          },
          skippedGates: readSkippedGates(options['skipGate']),
        },
        { activate: options['activate'] !== false },
      );
      const { value, text } = describeLoaded(loaded);
      context.result(value, text);
    },
  );
  return load
    .argument('<files...>', 'files of any kind that GLEIF publishes, plain, zipped or gzipped, in any order')
    .option('--no-activate', 'seal the publication but leave the active one in place')
    .option('--delta', 'apply the files on the active publication instead of replacing it')
    .option(
      '--published-at <time>',
      'source time (UTC), whatever the files say; needed where none of them says one',
    )
    .option(
      '--skip-gate <names...>',
      `pass these gates even where they refuse (to be put behind the files): ${gateNames.join(', ')}`,
    )
    .option(
      '--min-entities <share>',
      `least share of the active publication's entities (default ${gateDefaults.entitiesShareMin})`,
    )
    .option('--max-bad-rows <share>', 'greatest share of bad rows (default LEI_MAX_BAD_ROWS)')
    .option(
      '--max-resolvable-drop <share>',
      `greatest drop of the share of resolvable relationships (default ${gateDefaults.resolvableDropMax})`,
    );
}
