/**
 * Runs the files that failed beside others once more, each alone, and ends with 0 if all pass then. test/run.sh calls
 * this after a failed run. The failure stands where running a file again could hide more than a starved moment.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  againJunit,
  filesOf,
  lastJunit,
  lastOutput,
  lastRunAgain,
  type RunAgain,
  type RunFile,
  unsteadyFiles,
} from './last-run.ts';

/** More failures than these have another cause than a starved moment. */
const filesMax = 5;

/** Failures that no starved moment explains: of a property, which another run tries with other values, and of a process. */
const lasting = /^(?:Property failed|worker process crashed)/;

/** Why nothing is run again, or undefined. */
function standsBecause(ran: number, failed: readonly RunFile[]): string | undefined {
  if (failed.length === 0) return 'the run failed, but no test';
  if (failed.length > filesMax) return `${failed.length} files failed, and at most ${filesMax} are run again`;
  if (ran === 1) return 'the file ran alone';
  if (failed.some(({ messages }) => messages.some((message) => lasting.test(message))))
    return 'a property does not hold or a process crashed, which another run may not show';
  if (hadErrorsBetweenTests()) return 'a file failed outside of its tests, which the report does not name';
  return undefined;
}

/** Only Bun's summary, at the end of the output, counts the errors that belong to no test. */
function hadErrorsBetweenTests(): boolean {
  const summary = Bun.stripANSI(readFileSync(lastOutput, 'utf8')).trimEnd().split('\n').slice(-6);
  return summary.some((line) => /^ *\d+ errors?$/.test(line));
}

function passesAlone(file: string): boolean {
  // The processor time of a file is that of its run beside others.
  const { TESTS_COSTS: _, ...env } = process.env;
  rmSync(againJunit, { force: true });
  const report = ['--reporter=junit', `--reporter-outfile=${againJunit}`];
  const timeout = ['--timeout', process.env['TEST_TIMEOUT_MS'] ?? ''];
  const command = [process.execPath, 'test', ...timeout, ...report, `./${file}`];
  const { exitCode } = Bun.spawnSync(command, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  // A test that ends the process with 0 leaves no report.
  return exitCode === 0 && existsSync(againJunit);
}

const ran = filesOf(lastJunit);
const failed = [...ran].filter(([, file]) => file.failed.length > 0);
const reason = standsBecause(
  ran.size,
  failed.map(([, file]) => file),
);
if (reason !== undefined) {
  console.log(`\nNothing is run again: ${reason}.`);
  process.exit(1);
}
console.log(`\n${failed.length} of ${ran.size} files failed beside others. Each runs again, alone:`);
const again = failed.map(
  ([file, { failed }]): RunAgain => ({ file, failed, passedAlone: passesAlone(file) }),
);
writeFileSync(lastRunAgain, JSON.stringify(again));
const failedTwice = again.filter(({ passedAlone }) => !passedAlone).map(({ file }) => `  ${file}`);
const unsteady = unsteadyFiles(again);
const line = '='.repeat(100);
console.log(line);
if (unsteady !== '') console.log(unsteady);
if (failedTwice.length > 0) console.log(`Failed beside others and alone:\n${failedTwice.join('\n')}`);
console.log(line);
process.exit(failedTwice.length === 0 ? 0 : 1);
