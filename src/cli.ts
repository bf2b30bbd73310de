/** The `lei` command line: a list of commands, one file each. */
import packageJson from '../package.json' with { type: 'json' };
import { group, runCommandLine } from './commands/frame.ts';

const program = group('lei', packageJson.description, []).version(packageJson.version);

await runCommandLine(program, process.argv.slice(2));
