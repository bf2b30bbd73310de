/**
 * The data folders of the services that run in the process of the test. A second environment of the same state must not
 * write in that process: while lmdb's thread waits for more writes of the service, the second one would wait for that
 * thread and stop the event loop that both need.
 */
const folders = new Set<string>();

export const servedHere = {
  begin: (dataDir: string) => folders.add(dataDir),
  end: (dataDir: string) => folders.delete(dataDir),
  includes: (dataDir: string | undefined) => dataDir !== undefined && folders.has(dataDir),
};
