/** The `lei` command line: a list of commands, one file each. */
import packageJson from '../package.json' with { type: 'json' };
import { accountsCommand } from './commands/accounts.ts';
import { group, runCommandLine } from './commands/frame.ts';
import { keysCommand } from './commands/keys.ts';

const program = group('lei', packageJson.description, [accountsCommand(), keysCommand()]).version(packageJson.version);

await runCommandLine(program, process.argv.slice(2));
