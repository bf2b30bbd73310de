/** The `lei` command line: a list of commands, one file each. */
import packageJson from '../package.json' with { type: 'json' };
import { accountsCommand } from './commands/accounts.ts';
import { activateCommand } from './commands/activate.ts';
import { group, runCommandLine } from './commands/frame.ts';
import { generateCommand } from './commands/generate.ts';
import { historyCommand } from './commands/history.ts';
import { keysCommand } from './commands/keys.ts';
import { loadCommand } from './commands/load.ts';
import { pruneCommand } from './commands/prune.ts';
import { publicationsCommand } from './commands/publications.ts';
import { rollbackCommand } from './commands/rollback.ts';
import { serveCommand } from './commands/serve.ts';
import { statusCommand } from './commands/status.ts';
import { updateCommand } from './commands/update.ts';
import { verifyCommand } from './commands/verify.ts';

const program = group('lei', packageJson.description, [
  accountsCommand(),
  keysCommand(),
  generateCommand(),
  activateCommand(),
  historyCommand(),
  loadCommand(),
  pruneCommand(),
  publicationsCommand(),
  rollbackCommand(),
  serveCommand(),
  statusCommand(),
  updateCommand(),
  verifyCommand(),
]).version(packageJson.version);

await runCommandLine(program, process.argv.slice(2));
