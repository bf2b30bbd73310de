/**
 * Prints the names of the tests of a run, or which names went and came between two runs:
 * `bun run test:names [BEFORE.xml] [AFTER.xml]`. Without AFTER.xml, the last run is the later one.
 */
import { filesOf, lastJunit } from './last-run.ts';

/** The names of all tests of a run, with their files. */
function namesIn(path: string): readonly string[] {
  return [...filesOf(path)].flatMap(([file, { tests }]) => tests.map((name) => `${file} > ${name}`)).sort();
}

const [before, after = lastJunit] = process.argv.slice(2);
const now = namesIn(after);
if (before === undefined) {
  console.log(now.join('\n'));
} else {
  const earlier = namesIn(before);
  const [had, has] = [new Set(earlier), new Set(now)];
  for (const name of earlier) if (!has.has(name)) console.log(`- ${name}`);
  for (const name of now) if (!had.has(name)) console.log(`+ ${name}`);
}
