/** Entry point of a front thread: wires the worker's port to {@link runFront}. */
import { joinLedger } from '../src/accounts/open-state.ts';
import { runFront } from '../src/front/front-thread.ts';
import type { ToFrontThread } from '../src/front/thread-calls.ts';

declare const self: Worker;

const receive = runFront(joinLedger, (message) => self.postMessage(message));

// Before any await, here or in an import: messages without a handler are dropped.
self.onmessage = ({ data }: MessageEvent<ToFrontThread>) => receive(data);
