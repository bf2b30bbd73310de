/**
 * Frees the memory of bytes at once; they are empty afterwards. The collector would keep what has been in use for a
 * while until as much again has been made: answers of 2 MB kept a service larger by 40 MB (decision 045).
 */
export function freeMemory(bytes: Uint8Array<ArrayBuffer>): void {
  bytes.buffer.transfer(0);
}

/**
 * To be called at the start of every thread that will free memory. The first call of a thread invalidates all code that
 * was compiled in it before (decision 046). Otherwise that call would come in a burst that finds the rings full: the
 * worst moment to compile everything anew.
 */
export function expectFreeing(): void {
  freeMemory(new Uint8Array(1));
}
