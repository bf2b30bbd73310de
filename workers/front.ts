/** Entry point of a front thread: wires the worker's port to {@link runFront}. */
import { runFront } from '../src/front/fronts/front-thread.ts';
import type { FrontCommand, FrontReport } from '../src/front/fronts/messages.ts';
import { joinLedger } from '../src/implementations.ts';

declare const self: Worker;

const receive = runFront(joinLedger, (report: FrontReport) => self.postMessage(report));

// Before any await, here or in an import: messages without a handler are dropped.
self.onmessage = (event: MessageEvent<FrontCommand>) => receive(event.data);
self.postMessage({ report: 'ready' } satisfies FrontReport);
