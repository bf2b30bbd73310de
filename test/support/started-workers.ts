/** Lists the threads that this process starts, so that a test can end one. */

const started: { readonly worker: Worker; readonly file: string }[] = [];

/** Call it before the threads start. They stay real. */
export function watchWorkers(): void {
  const Real = globalThis.Worker;
  if (Real.name === 'Watched') return;
  globalThis.Worker = class Watched extends Real {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      const each = { worker: this, file: String(url).split('/').pop() ?? '' };
      started.push(each);
      this.addEventListener('close', () => started.splice(started.indexOf(each), 1));
    }
  };
}

/** The threads of this entry point that have not ended, oldest first. */
export function workersOf(file: 'front.ts' | 'query.ts' | 'unpack.ts'): readonly Worker[] {
  return started.filter((each) => each.file === file).map(({ worker }) => worker);
}
