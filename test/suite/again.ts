/**
 * Runs the files that failed beside others once more, each alone, and ends with 0 if all pass then. test/run.sh calls
 * this after a failed run. The failure stands where running a file again could hide more than a starved moment.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { filesOf, lastJunit, lastOutput, lastRunAgain, type RunAgain, unsteadyFiles } from './last-run.ts';

/** More failures than these have another cause than a starved moment. */
const filesMax = 5;

/** Why nothing is run again, or undefined. */
function standsBecause(ran: number, failed: number): string | undefined {
  if (failed === 0) return 'the run failed, but no test';
  if (failed > filesMax) return `${failed} files failed, and at most ${filesMax} are run again`;
  if (ran === 1) return 'the file ran alone';
  if (hadErrorsBetweenTests()) return 'a file failed outside of its tests, which the report does not name';
  return undefined;
}

/** Only Bun's summary, at the end of the output, counts the errors that belong to no test. */
function hadErrorsBetweenTests(): boolean {
  const summary = readFileSync(lastOutput, 'utf8').trimEnd().split('\n').slice(-6);
  return summary.some((line) => /^ *\d+ errors?$/.test(line));
}

function passesAlone(file: string): boolean {
  // The processor time of a file is that of its run beside others.
  const { TESTS_COSTS: _, ...env } = process.env;
  const command = [process.execPath, 'test', '--timeout', process.env['TEST_TIMEOUT_MS'] ?? '', `./${file}`];
  return Bun.spawnSync(command, { env, stdio: ['ignore', 'inherit', 'inherit'] }).exitCode === 0;
}

const ran = filesOf(lastJunit);
const failed = [...ran].filter(([, file]) => file.failed.length > 0);
const reason = standsBecause(ran.size, failed.length);
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
