/** Allocates memory for growing columns: for one thread, or shared between threads. All of it is zeros. */

export interface Memory {
  bytes(length: number): Uint8Array;
  numbers(length: number): Uint32Array;
}

export const ownMemory: Memory = {
  bytes: (length) => new Uint8Array(length),
  numbers: (length) => new Uint32Array(length),
};

export const sharedMemory: Memory = {
  bytes: (length) => new Uint8Array(new SharedArrayBuffer(length)),
  numbers: (length) => new Uint32Array(new SharedArrayBuffer(length * Uint32Array.BYTES_PER_ELEMENT)),
};
