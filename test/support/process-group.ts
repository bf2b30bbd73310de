/** Starts commands in their own process groups, to which tests send signals as a terminal does. */
import { join } from 'node:path';

/** Starts a command at the root of the project in its own process group, as a shell does for each job. */
export function startInGroup(dataDir: string, command: readonly string[]) {
  return Bun.spawn([...command], {
    cwd: join(import.meta.dir, '..', '..'),
    env: { ...process.env, LEI_DATA_DIR: dataDir, LEI_PORT: '0', LEI_SAMPLE: 'off', LEI_LOG_LEVEL: 'warn' },
    detached: true,
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

/** Reads a stream until its text matches; returns the text. @throws if the stream ends before */
export async function heard(output: ReadableStream<Uint8Array>, what: RegExp): Promise<string> {
  const reader = output.getReader();
  const decoder = new TextDecoder();
  for (let text = ''; ; ) {
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: true });
    if (done && !what.test(text)) throw new Error(`The stream ended after: ${text}`);
    if (!what.test(text)) continue;
    reader.releaseLock();
    return text;
  }
}
