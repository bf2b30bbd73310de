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

/** Resolves once a condition holds. @param everyMs how long to wait before it is looked at again: longer if it is dear */
export async function until(holds: () => boolean | Promise<boolean>, everyMs = 20): Promise<void> {
  while (!(await holds())) await new Promise((resume) => setTimeout(resume, everyMs));
}
