/** The `lei` command line: a list of commands, one file each. Only the one that is asked for is read with all it needs. */
import packageJson from '../package.json' with { type: 'json' };
import { group, runCommandLine } from './commands/frame.ts';
import type { OpenState } from './ports/state.ts';

/** Read with all it needs only when a command opens the state. */
const openState: OpenState = async (config, user) =>
  (await import('./implementations.ts')).openState(config, user);

const commands = {
  accounts: async () => (await import('./commands/accounts.ts')).accountsCommand(openState),
  keys: async () => (await import('./commands/keys.ts')).keysCommand(openState),
  generate: async () => (await import('./commands/generate.ts')).generateCommand(),
  activate: async () => (await import('./commands/activate.ts')).activateCommand(),
  history: async () => (await import('./commands/history.ts')).historyCommand(),
  load: async () => (await import('./commands/load.ts')).loadCommand(),
  prune: async () => (await import('./commands/prune.ts')).pruneCommand(),
  publications: async () => (await import('./commands/publications.ts')).publicationsCommand(),
  rollback: async () => (await import('./commands/rollback.ts')).rollbackCommand(),
  serve: async () => (await import('./commands/serve.ts')).serveCommand(openState),
  status: async () => (await import('./commands/status.ts')).statusCommand(),
  update: async () => (await import('./commands/update.ts')).updateCommand(),
  verify: async () => (await import('./commands/verify.ts')).verifyCommand(),
};

const asked = process.argv.slice(2);
const all = Object.entries(commands);
// Help and a word that is no command show them all.
const named = all.filter(([name]) => name === asked[0]);
/** Those that read accounts or publications in this process. */
const readingItself = new Set(['accounts', 'keys', 'verify']);
const isRun =
  readingItself.has(asked[0] ?? '') && (await import('./commands/another-number.ts')).ranUnderAnotherNumber();
if (!isRun) {
  const members = await Promise.all((named.length > 0 ? named : all).map(([, read]) => read()));
  const program = group('lei', packageJson.description, members).version(packageJson.version);
  await runCommandLine(program, asked);
}
