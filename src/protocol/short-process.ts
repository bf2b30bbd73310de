/**
 * The environment of a process that soon ends, such as an inspection or a short load. It has no optimizing compiler, because
 * it seldom runs code often enough to earn back what compiling takes (decisions/172).
 */
export const shortProcess = { BUN_JSC_useDFGJIT: 'false', BUN_JSC_useWarmUpMarkedBlocks: 'false' };
