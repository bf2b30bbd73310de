/**
 * Gives the memory of bytes back at once; they are empty afterwards. Left to the collector, what has been in use for a
 * while stays until as much again has been made: answers of 2 MB kept a service larger by 40 MB (decision 045).
 */
export function release(bytes: Uint8Array<ArrayBuffer>): void {
  bytes.buffer.transfer(0);
}

/**
 * To be called by every thread that will release something, before it does anything else. What is compiled in a thread
 * where no memory has been given back yet relies on that, and is thrown away when some is for the first time. The first
 * time would be a burst that finds the rings full: the worst moment to compile everything anew (decision 046).
 */
export function expectReleases(): void {
  release(new Uint8Array(1));
}
