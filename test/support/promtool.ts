/** Prometheus' own reader of metrics, and a reader of ours that finds single samples. */
import { pathOf } from './programs.ts';

/** What `promtool check metrics` has to say about a text: '' for nothing. */
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

/** The value of a sample by its name with its labels as they are written; undefined where it is not there. */
export function sampleOf(text: string, sample: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
}
