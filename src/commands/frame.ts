/** The one door to commander, and what every command shares: `--json`, messages, exit codes. */
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { type Config, type ConfigReading, readConfig } from '../config.ts';
import { ExpectedFailure, reasonOf } from '../errors.ts';
import { DamagedPointer } from '../publication/pointer.ts';

/** A failure that the command itself tells of. */
export class CommandFailure extends ExpectedFailure {
  override readonly name = 'CommandFailure';
}

/** What a running command writes to and knows. */
export interface Context {
  readonly config: Config;
  readonly json: boolean;
  /** A result, on standard output: the text, or with `--json` the value. */
  result(value: unknown, text: string): void;
  /** A message, on standard error. */
  say(message: string): void;
}

const exitCodes = { success: 0, failure: 1, usage: 2 } as const;

/** Failures that lie in what was asked for: a command finds them where the declaration of an option can't. */
const usageCodes: ReadonlySet<string> = new Set(['bad-option', 'unknown-gate', 'invalid-account']);

type Action = (
  context: Context,
  args: readonly string[],
  options: Readonly<Record<string, unknown>>,
) => Promise<void>;

/**
 * A command with `--json` whose action gets the context, its arguments and its options.
 * Arguments and options are declared on the returned command as commander has them.
 */
export function command(name: string, description: string, action: Action): Command {
  const built = new Command(name).description(description);
  built.option('--json', 'print the result as JSON, for machines');
  built.action(async (...given: unknown[]) => {
    const options = built.opts();
    const args = given
      .slice(0, -2)
      .flat()
      .filter((value): value is string => typeof value === 'string');
    await runAction(action, args, options);
  });
  return built;
}

/** Reads an option's whole number; anything else is wrong usage (exit status 2) that says what would be right. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** Reads an option that is one of a few words, in any case; anything else is wrong usage. */
export function oneOf<T extends string>(choices: readonly T[]): (text: string) => T {
  return (text) => {
    const found = choices.find((choice) => choice === text.toLowerCase());
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`);
  };
}

/** A command that only groups others, as `lei accounts`. */
export function group(name: string, description: string, members: readonly Command[]): Command {
  const built = new Command(name).description(description);
  for (const member of members) built.addCommand(member);
  return built;
}

async function runAction(
  action: Action,
  args: readonly string[],
  options: Record<string, unknown>,
): Promise<void> {
  const json = options['json'] === true;
  const say = (message: string) => void process.stderr.write(`${message}\n`);
  try {
    const context: Context = {
      config: checkedConfig(say),
      json,
      say,
      result: (value, text) => void process.stdout.write(`${json ? JSON.stringify(value) : text}\n`),
    };
    await action(context, args, options);
  } catch (error) {
    reportFailure(error, json, say);
    const wrongUsage = error instanceof ExpectedFailure && usageCodes.has(error.code);
    process.exitCode = wrongUsage ? exitCodes.usage : exitCodes.failure;
  }
}

/** The settings and what is wrong with them; only here is the environment read. */
export function readSettings(): ConfigReading {
  return readConfig(process.env);
}

function checkedConfig(say: (message: string) => void): Config {
  const { config, faults, warnings } = readSettings();
  for (const warning of warnings) say(`Warning: ${warning}`);
  if (faults.length > 0) throw new CommandFailure('bad-configuration', faults.join('\n'));
  return config;
}

function reportFailure(error: unknown, json: boolean, say: (message: string) => void): void {
  const known = expectedFailure(error) ?? damagedPointer(error);
  const code = known?.code ?? 'internal';
  const message = known?.message ?? reasonOf(error);
  if (json) process.stdout.write(`${JSON.stringify({ error: { code, message } })}\n`);
  else say(`lei: ${message}`);
  // A failure nobody foresaw is a bug: its trace is worth having.
  if (known === null && error instanceof Error && error.stack !== undefined) say(error.stack);
}

function damagedPointer(error: unknown): CommandFailure | null {
  if (!(error instanceof DamagedPointer)) return null;
  return new CommandFailure('active-unreadable', `${error.message} Activate a publication to replace it.`);
}

/**
 * The error itself, or what the system refuses (a full disk, a read-only folder, a path that leads nowhere), whose words
 * say what to mend; null for what nobody foresaw.
 */
export function expectedFailure(error: unknown): ExpectedFailure | null {
  if (error instanceof ExpectedFailure) return error;
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return null;
  const code = systemCodes.get(String(error.code)) ?? 'refused-by-system';
  return new CommandFailure(code, `The system refuses: ${error.message}.`);
}

const systemCodes: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'no-space'],
  ['EDQUOT', 'no-space'],
  ['EROFS', 'not-writable'],
  ['EACCES', 'not-writable'],
  ['EPERM', 'not-writable'],
]);

/** Runs the command line; the exit status is left in `process.exitCode`. */
export async function runCommandLine(program: Command, argv: readonly string[]): Promise<void> {
  const json = argv.includes('--json');
  outliveReaders();
  throwOnExit(program, json);
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version are the only successes that commander reports this way.
    process.exitCode = error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
    if (json && error.exitCode !== 0) reportWrongUsage(error);
  }
}

/**
 * Whoever reads what a command writes may go first, as in `lei keys list | head -1`, and a disk that takes it may be
 * full. What the command does goes on: a load is not to end because nobody looks at its progress any more.
 */
function outliveReaders(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error) => {
    process.exitCode = exitCodes.failure;
    process.stderr.write(`lei: The result could not be written whole: ${reasonOf(error)}.\n`);
  });
}

function throwOnExit(program: Command, json: boolean): void {
  program.exitOverride();
  // With `--json` wrong usage is told once, as JSON.
  if (json) program.configureOutput({ writeErr: () => {} });
  for (const member of program.commands) throwOnExit(member, json);
}

function reportWrongUsage({ code, message }: CommanderError): void {
  const told =
    code === 'commander.help' ? 'a command is missing; see --help' : message.replace(/^error: /, '');
  process.stdout.write(`${JSON.stringify({ error: { code: 'wrong-usage', message: told } })}\n`);
}
