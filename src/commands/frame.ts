/** The one door to commander. Gives every command `--json`, messages and exit statuses. */
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { type Config, type ConfigReading, changedSettings, readConfig } from '../config.ts';
import { clauseOf, ExpectedFailure, errorCode, reasonOf } from '../errors.ts';
import { fileInTheWay } from '../publication/files.ts';
import { type Layout, layout } from '../publication/layout.ts';
import { DamagedPointer } from '../publication/pointer.ts';
import { type Lines, safeJson, safeLines } from '../terminal-text.ts';

/** A failure of a command, with a message for its user. */
export class CommandFailure extends ExpectedFailure {
  override readonly name = 'CommandFailure';
  readonly lines: Lines;
  constructor(code: string, lines: Lines) {
    super(code, typeof lines === 'string' ? lines : lines.join('\n'));
    this.lines = lines;
  }
}

/** The lines of a failure's message. The gates of a load report one line each. */
export function linesOf(failure: ExpectedFailure): Lines {
  if (failure instanceof CommandFailure) return failure.lines;
  return failure.code === 'gate' ? failure.message.split('\n') : failure.message;
}

/** The settings, the data folder and the outputs of a running command. */
export interface Context {
  readonly config: Config;
  readonly layout: Layout;
  readonly json: boolean;
  /** Writes the result to standard output: `text`, or `value` with `--json`; both safe for a terminal. */
  result(value: unknown, text: Lines): void;
  /** Writes a message to standard error, safe for a terminal. */
  say(message: Lines): void;
}

const exitCodes = { success: 0, failure: 1, usage: 2 } as const;

/** Codes of usage errors that only a running command can find. */
const usageCodes: ReadonlySet<string> = new Set([
  'bad-configuration',
  'bad-option',
  'unknown-gate',
  'invalid-account',
  // Of `--to` of the commands for a fleet.
  'bad-address',
  'read-only-source',
]);

/** The options of a command by name, as commander has read them. */
export type Options = Readonly<Record<string, unknown>>;

type ReadSettings = (say: Context['say']) => Config;

export type Action = (context: Context, args: readonly string[], options: Options) => Promise<void>;

const jsonOption = ['--json', 'print the result as JSON, for programs'] as const;

/**
 * A command with `--json` whose action receives the context, its arguments and its options. Declare further arguments
 * and options on the returned commander command.
 * @param settings by default those of the environment, which must have no fault
 */
export function command(
  name: string,
  description: string,
  action: Action,
  settings: ReadSettings = checkedConfig,
): Command {
  const built = new Command(name).description(description);
  built.option(...jsonOption);
  built.action(async (...given: unknown[]) => {
    // `lei --json status` means the same as `lei status --json`.
    const options = built.optsWithGlobals();
    const args = given
      .slice(0, -2)
      .flat()
      .filter((value): value is string => typeof value === 'string');
    await runAction(settings, action, args, options);
  });
  return built;
}

/**
 * A reader of options that are whole numbers. Anything else is a usage error (exit status 2).
 * @param orElse the other values that the caller accepts, for the message
 */
export function wholeNumber(min: number, max: number, orElse = ''): (text: string) => number {
  return (text) => {
    if (/^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}${orElse}.`);
  };
}

/** A reader of options that are limits up to a maximum, or the word that takes back a changed one. */
export function limitOrDefault(max: number): (text: string) => number | 'default' {
  const limit = wholeNumber(0, max, ' or default');
  return (text) => (text === 'default' ? text : limit(text));
}

/** A reader of options that are one of a few words, in upper or lower case. Anything else is a usage error. */
export function oneOf<T extends string>(choices: readonly T[]): (text: string) => T {
  return (text) => {
    const chosen = choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
    if (chosen !== undefined) return chosen;
    throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`);
  };
}

/**
 * A reader of options that are given once. A second one, which would replace the first, is a usage error.
 * @param advice a sentence that says what to do
 */
export function once(advice: string): (text: string, before: string | undefined) => string {
  return (text, before) => {
    if (before === undefined) return text;
    throw new InvalidArgumentError(`It was given before. ${advice}`);
  };
}

/** A command that groups others, such as `lei accounts`. */
export function group(name: string, description: string, members: readonly Command[]): Command {
  const built = new Command(name).description(description).configureHelp({ sortSubcommands: true });
  // Without positional options it would take the options that follow a member's name.
  built.option(...jsonOption).enablePositionalOptions();
  for (const member of members) built.addCommand(member);
  return built;
}

async function runAction(
  settings: ReadSettings,
  action: Action,
  args: readonly string[],
  options: Record<string, unknown>,
): Promise<void> {
  const json = options['json'] === true;
  const say = (message: Lines) => void process.stderr.write(`${safeLines(message)}\n`);
  try {
    const config = settings(say);
    const context: Context = {
      config,
      layout: layout(config.dataDir),
      json,
      say,
      result: (value, text) => void process.stdout.write(`${json ? safeJson(value) : safeLines(text)}\n`),
    };
    await action(context, args, options);
  } catch (error) {
    if (error !== outputError) reportFailure(error, json, say);
    const wrongUsage = error instanceof ExpectedFailure && usageCodes.has(error.code);
    process.exitCode = wrongUsage ? exitCodes.usage : exitCodes.failure;
  }
}

/** Reads the settings with their faults. Only this and {@link settingsChanged} read the environment. */
export function readSettings(): ConfigReading {
  return readConfig(process.env);
}

/** The settings that differ from their defaults, without secrets. */
export function settingsChanged(): Readonly<Record<string, string>> {
  return changedSettings(process.env);
}

/** For a command that runs in spite of faults in the settings and reports them itself ({@link readSettings}). */
export function uncheckedConfig(): Config {
  return readSettings().config;
}

/** The settings of the environment. @throws {CommandFailure} if they have faults */
export function checkedConfig(say: Context['say']): Config {
  const { config, faults, warnings } = readSettings();
  for (const warning of warnings) say(`Warning: ${warning}`);
  if (faults.length > 0) throw new CommandFailure('bad-configuration', faults);
  return config;
}

function reportFailure(error: unknown, json: boolean, say: Context['say']): void {
  const known = expectedFailure(error) ?? damagedPointer(error);
  const code = known?.code ?? 'internal';
  const message = known?.message ?? reasonOf(error);
  if (json) process.stdout.write(`${safeJson({ error: { code, message } })}\n`);
  else say(signed(known === null ? message : linesOf(known)));
  // An unexpected error is a bug: show its stack trace.
  if (known === null && error instanceof Error && error.stack !== undefined) say(error.stack.split('\n'));
}

/** The lines, with the name of the program before the first. */
export function signed(lines: Lines): Lines {
  const [first = '', ...rest] = typeof lines === 'string' ? [lines] : lines;
  return [`lei: ${first}`, ...rest];
}

function damagedPointer(error: unknown): CommandFailure | null {
  if (!(error instanceof DamagedPointer)) return null;
  return new CommandFailure('active-unreadable', `${error.message} Activate a publication to replace it.`);
}

/**
 * The error if it is expected, or a failure made from an error of the system (a full disk, a read-only folder, a
 * missing path); null for a bug.
 */
export function expectedFailure(error: unknown): ExpectedFailure | null {
  if (error instanceof ExpectedFailure) return error;
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return null;
  const inTheWay = fileInTheWay(error);
  if (inTheWay !== null) return new CommandFailure('not-a-folder', inTheWay);
  const [code, advice] = systemFailures.get(String(error.code)) ?? ['refused-by-system', ''];
  return new CommandFailure(code, `The operating system refused: ${error.message}. ${advice}`.trimEnd());
}

type SystemFailure = readonly [code: string, advice: string];
const full: SystemFailure = ['no-space', 'Make room on that disk, and try again.'];
const foreign: SystemFailure = [
  'not-writable',
  'This user has no right to that: run the command as the owner, such as the user of the service.',
];
const systemFailures: ReadonlyMap<string, SystemFailure> = new Map([
  ['ENOSPC', full],
  ['EDQUOT', full],
  ['ENOENT', ['refused-by-system', 'A file or a folder of that path does not exist: check it.']],
  ['EROFS', ['not-writable', '']],
  ['EACCES', foreign],
  ['EPERM', foreign],
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
    // commander throws for help and version too, with exit code 0.
    process.exitCode = error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
    if (json && error.exitCode !== 0) reportWrongUsage(error);
  }
}

/** The error that ended standard output. A command that waits for its output fails with the same error. */
let outputError: Error | undefined;

/**
 * Keeps a command running when its output can't be written. The reader may have gone, as in `lei keys list | head -1`,
 * which is not reported, or the disk is full. A load must not end because nobody reads its progress.
 */
function outliveReaders(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error) => {
    outputError = error;
    process.exitCode = exitCodes.failure;
    if (errorCode(error) === 'EPIPE') return;
    process.stderr.write(
      `${safeLines(`lei: The result could not be written completely: ${clauseOf(error)}.`)}\n`,
    );
  });
}

function throwOnExit(program: Command, json: boolean, path = program.name()): void {
  program.exitOverride();
  program.showHelpAfterError(`See ${path} --help.`);
  // With `--json`, a usage error is reported once, as JSON. Otherwise the text repeats what was typed.
  const writeErr = (text: string) => void process.stderr.write(safeLines(text.split('\n')));
  program.configureOutput({ writeErr: json ? () => {} : writeErr });
  for (const member of program.commands) throwOnExit(member, json, `${path} ${member.name()}`);
}

function reportWrongUsage({ code, message }: CommanderError): void {
  const text =
    code === 'commander.help' ? 'a command is missing; see --help' : message.replace(/^error: /, '');
  process.stdout.write(`${safeJson({ error: { code: 'wrong-usage', message: text } })}\n`);
}
