/** Asks one address repeatedly over kept connections, and records everything that is not a 200. */

export interface SteadyLoad {
  /** Requests answered 200 so far. */
  answered(): number;
  /** Ends the load. Resolves with what went wrong: statuses and network errors. */
  stop(): Promise<readonly string[]>;
}

/** Between two requests of a client: what happens to the service lasts longer, and the load costs little. */
const pauseMs = 20;

/** @param clients how many ask at once, each soon after it has its answer @param init for every request */
export function steadyLoad(url: string, clients: number, init: BunFetchRequestInit = {}): SteadyLoad {
  const faults: string[] = [];
  let answered = 0;
  let running = true;
  const ask = async () => {
    while (running) {
      try {
        const response = await fetch(url, init);
        await response.arrayBuffer();
        if (response.status === 200) answered++;
        else faults.push(String(response.status));
      } catch (error) {
        faults.push(String(error));
      }
      await Bun.sleep(pauseMs);
    }
  };
  const all = Array.from({ length: clients }, ask);
  return {
    answered: () => answered,
    async stop() {
      running = false;
      await Promise.all(all);
      return faults;
    },
  };
}

/** Between two looks at a condition. */
const lookEveryMs = 20;

/** A test that waits longer fails before the runner ends it, and says what it waited for. */
const shareOfTestMax = 0.8;

/**
 * Resolves once a condition holds. Rejects shortly before the runner would end the test, also if the condition does not
 * answer.
 * @param what is waited for, if its own text does not say it
 */
export async function until(holds: () => boolean | Promise<boolean>, what = textOf(holds)): Promise<void> {
  const limitMs = shareOfTestMax * Number(process.env['TEST_TIMEOUT_MS'] ?? 180_000);
  // Made here, so that its stack shows who waits.
  const tooLong = new Error(`${limitMs / 1000} seconds were not enough for: ${what}`);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const limit = setTimeout(() => reject(tooLong), limitMs);
  try {
    while (!(await Promise.race([holds(), ended]))) {
      const looksAgain = new Promise<void>((resume) => setTimeout(resume, lookEveryMs));
      await Promise.race([looksAgain, ended]);
    }
  } finally {
    clearTimeout(limit);
  }
}

function textOf(condition: () => unknown): string {
  return String(condition).replaceAll(/\s+/g, ' ');
}
