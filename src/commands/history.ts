/** `lei history FILE…`: recovers snapshots of companies from older level 1 files. */
import { loadRequest } from '../loader/load-request.ts';
import { command } from './frame.ts';
import { describeLoaded, loadAndActivate } from './loading.ts';
import { readThreads, threadsOption } from './options.ts';
import { counted } from './result-texts.ts';

export function historyCommand() {
  const history = command(
    'history',
    'recover snapshots of companies from older level 1 files',
    async (context, files, options) => {
      const loaded = await loadAndActivate(
        context,
        { ...loadRequest(context.config, files), ...readThreads(options['threads']), purpose: 'history' },
        { activate: options['activate'] !== false },
      );
      const { value, text } = describeLoaded(loaded);
      context.result(value, `${text} It holds ${counted(loaded.manifest.counts.snapshots, 'snapshot')}.`);
    },
  );
  return history
    .argument('<files...>', 'older level 1 files, in any order')
    .option('--no-activate', 'build the publication but do not activate it')
    .option(...threadsOption);
}
