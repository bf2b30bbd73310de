/**
 * Preloaded into a service whose clock a test moves: MOVED_CLOCK names a file with the milliseconds by which the clock
 * is ahead.
 */
const path = process.env['MOVED_CLOCK'];
if (path === undefined) throw new Error('MOVED_CLOCK names no file.');
const mapped = Bun.mmap(path, { shared: true });
const aheadMs = new Float64Array(mapped.buffer, mapped.byteOffset, 1);
const real = Date.now;
const now = () => Math.round(real() + (aheadMs[0] ?? 0));

globalThis.Date = class extends Date {
  constructor(...given: readonly unknown[]) {
    super(...((given.length === 0 ? [now()] : given) as [number]));
  }
  static override now(): number {
    return now();
  }
} as DateConstructor;

// The option --preload applies to the main thread only.
const RealWorker = globalThis.Worker;
globalThis.Worker = class extends RealWorker {
  constructor(url: string | URL, options?: WorkerOptions) {
    super(url, { ...options, preload: [import.meta.path] });
  }
};
