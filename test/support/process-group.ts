/** Commands with a process group of their own, which signals can be sent to as a terminal does. */
import { join } from 'node:path';

/** In a process group of its own, as a shell gives one to each job; at the root of the project. */
export function startInGroup(dataDir: string, command: readonly string[]) {
  return Bun.spawn([...command], {
    cwd: join(import.meta.dir, '..', '..'),
    env: { ...process.env, LEI_DATA_DIR: dataDir, LEI_PORT: '0', LEI_SAMPLE: 'off', LEI_LOG_LEVEL: 'warn' },
    detached: true,
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

/** What a stream has said when it has said this. */
export async function heard(output: ReadableStream<Uint8Array>, what: RegExp): Promise<string> {
  const reader = output.getReader();
  const decoder = new TextDecoder();
  for (let text = ''; ; ) {
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: true });
    if (done && !what.test(text)) throw new Error(`It ended and had said: ${text}`);
    if (!what.test(text)) continue;
    reader.releaseLock();
    return text;
  }
}
