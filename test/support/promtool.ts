/** Reads metrics with Prometheus' own promtool, and finds single samples. */
import { pathOf } from './programs.ts';

/** The complaints of `promtool check metrics` about a text: '' for none. */
export async function promtoolCheck(text: string): Promise<string> {
  const running = Bun.spawn([pathOf('promtool'), 'check', 'metrics'], {
    stdin: new Blob([text]),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const said = (await running.stdout.text()) + (await running.stderr.text());
  const code = await running.exited;
  return code === 0 ? said : `${said}exit status ${code}`;
}

/** The value of a sample by its name with its labels as written; undefined if it is missing. */
export function sampleOf(text: string, sample: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
}
