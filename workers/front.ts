/** Entry point of a front thread: wires the worker's port to {@link runFront}. */
import { joinLedger } from '../src/accounts/open-state.ts';
import { runFront } from '../src/front/front-thread.ts';
import type { FrontCommand, FrontReport } from '../src/front/thread-messages.ts';

declare const self: Worker;

const receive = runFront(joinLedger, (report: FrontReport) => self.postMessage(report));

// Before any await, here or in an import: messages without a handler are dropped.
self.onmessage = (event: MessageEvent<FrontCommand>) => receive(event.data);
self.postMessage({ report: 'ready' } satisfies FrontReport);
