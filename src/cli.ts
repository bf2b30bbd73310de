/** The `lei` command line: the list of commands. It imports only the command that is run. */
import packageJson from '../package.json' with { type: 'json' };
import { group, runCommandLine } from './commands/frame.ts';
import type { OpenFleet, OpenState } from './ports/state.ts';

/** Imported, with all it needs, only when a command opens the state. */
const openState: OpenState = async (...parts) =>
  (await import('./accounts/open-state.ts')).openState(...parts);

const openFleet: OpenFleet = async (config) => (await import('./accounts/open-state.ts')).openFleet(config);

const commands = {
  accounts: async () => (await import('./commands/accounts.ts')).accountsCommand(openState),
  keys: async () => (await import('./commands/keys.ts')).keysCommand(openState),
  export: async () => (await import('./commands/export.ts')).exportCommand(),
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand(openFleet),
  announce: async () => (await import('./commands/fleet.ts')).announceCommand(openFleet),
  fleet: async () => (await import('./commands/fleet.ts')).fleetCommand(openFleet),
  generate: async () => (await import('./commands/generate.ts')).generateCommand(),
  activate: async () => (await import('./commands/activate.ts')).activateCommand(),
  history: async () => (await import('./commands/load.ts')).historyCommand(),
  limits: async () => (await import('./commands/limits.ts')).limitsCommand(openState),
  load: async () => (await import('./commands/load.ts')).loadCommand(),
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand(),
  match: async () => (await import('./commands/match.ts')).matchCommand(),
  prune: async () => (await import('./commands/prune.ts')).pruneCommand(),
  publications: async () => (await import('./commands/publications.ts')).publicationsCommand(),
  publish: async () => (await import('./commands/publish.ts')).publishCommand(),
  rollback: async () => (await import('./commands/activate.ts')).rollbackCommand(),
  serve: async () => (await import('./commands/serve.ts')).serveCommand(openState),
  status: async () => (await import('./commands/status.ts')).statusCommand(),
  update: async () => (await import('./commands/update.ts')).updateCommand(),
  verify: async () => (await import('./commands/publications.ts')).verifyCommand(),
};

const all = Object.entries(commands);
/** Commands that open lmdb environments in this process. */
const openingLmdb = new Set(['accounts', 'export', 'keys', 'limits', 'match', 'mcp', 'verify']);

/** The named command; none for the version; all for help and for an unknown command. */
function commandsFor(first: string) {
  if (first === '--version' || first === '-V') return [];
  const named = all.filter(([name]) => name === first);
  return named.length > 0 ? named : all;
}

/** Runs one command; its exit status is left in `process.exitCode`. */
export async function runLei(argv: readonly string[]): Promise<void> {
  const first = argv.find((word) => word !== '--json') ?? '';
  const alreadyRun =
    openingLmdb.has(first) && (await import('./commands/with-state.ts')).ranUnderAnotherNumber();
  if (alreadyRun) return;
  const members = await Promise.all(commandsFor(first).map(([, read]) => read()));
  await runCommandLine(group('lei', packageJson.description, members).version(packageJson.version), argv);
}

if (import.meta.main) await runLei(process.argv.slice(2));
