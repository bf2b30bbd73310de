/**
 * Calls between two threads. A map lists what one thread can be asked: the values that each call takes, and its result.
 * Both ends follow from it: the one that calls and the one that answers. A call ends in one of three ways: its result,
 * its failure, or the end of the other thread.
 */
import { ExpectedFailure, errorCode, placeOf, reasonOf } from '../errors.ts';

/** An interface whose members are the calls. */
export type CallMap<Map> = { readonly [Op in keyof Map]: (...values: never[]) => unknown };

type Values<Map extends CallMap<Map>, Op extends keyof Map> = Parameters<Map[Op]>;
type CallResult<Map extends CallMap<Map>, Op extends keyof Map> = Awaited<ReturnType<Map[Op]>>;

/** How a thread answers the calls of a map. */
export type CallHandlers<Map extends CallMap<Map>> = {
  readonly [Op in keyof Map]: (
    ...values: Values<Map, Op>
  ) => HandlerResult<CallResult<Map, Op>> | Promise<HandlerResult<CallResult<Map, Op>>>;
};

type HandlerResult<Value> = Value | ResultWithMemory<Value>;

/** A result whose memory moves to the calling thread. */
export class ResultWithMemory<Value> {
  readonly value: Value;
  readonly memory: ArrayBuffer[];

  constructor(value: Value, memory: ArrayBuffer[]) {
    this.value = value;
    this.memory = memory;
  }
}

/** A call under way. Its number is 0 if nobody waits for its result. */
export type ThreadCall<Map extends CallMap<Map>, Op extends keyof Map = keyof Map> = {
  readonly [Each in Op]: { readonly op: Each; readonly call: number; readonly values: Values<Map, Each> };
}[Op];

export type CallReply<Map extends CallMap<Map>> =
  | { readonly call: number; readonly result: CallResult<Map, keyof Map> }
  | { readonly call: number; readonly failure: ErrorParts };

/** The parts of an error, which would lose some of them on its way to another thread. */
interface ErrorParts extends Pick<ExpectedFailure, 'message' | 'code'> {
  readonly stack: string;
  readonly isExpected: boolean;
  /** The code of an error of the system; null for any other. */
  readonly syscall: string | null;
}

function partsOf(error: unknown): ErrorParts {
  const isExpected = error instanceof ExpectedFailure;
  const syscall = error instanceof Error && 'syscall' in error ? String(error.syscall) : null;
  return { message: reasonOf(error), code: errorCode(error), stack: placeOf(error), isExpected, syscall };
}

function errorOf({ message, code, stack, isExpected, syscall }: ErrorParts): Error {
  if (isExpected) return new ExpectedFailure(code, message);
  return Object.assign(new Error(message), { code, stack }, syscall === null ? {} : { syscall });
}

/** Sends a message, such as the `postMessage` of a worker. */
type Post<Message> = (message: Message, transfer: Bun.Transferable[]) => void;

/** The calling end. */
export class CallingEnd<Map extends CallMap<Map>> {
  readonly #post: Post<ThreadCall<Map>>;
  readonly #open = new globalThis.Map<number, OpenCall<CallResult<Map, keyof Map>>>();
  #last = 0;
  #end: Error | null = null;

  constructor(post: Post<ThreadCall<Map>>) {
    this.#post = post;
  }

  /** How many calls are open. */
  get open(): number {
    return this.#open.size;
  }

  /**
   * @param transfer memory that moves to the other thread
   * @returns the result. Rejects if the other thread throws, or ends
   */
  call<Op extends keyof Map>(
    op: Op,
    values: Values<Map, Op>,
    transfer: Bun.Transferable[] = [],
  ): Promise<CallResult<Map, Op>> {
    if (this.#end !== null) return Promise.reject(this.#end);
    const call = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#open.set(call, { resolve, reject });
      this.#post({ op, call, values }, transfer);
    });
  }

  /** Calls without waiting for the result. */
  tell<Op extends keyof Map>(op: Op, values: Values<Map, Op>, transfer: Bun.Transferable[] = []): void {
    this.#post({ op, call: 0, values }, transfer);
  }

  receive(reply: CallReply<Map>): void {
    const open = this.#open.get(reply.call);
    this.#open.delete(reply.call);
    if ('result' in reply) open?.resolve(reply.result);
    else open?.reject(errorOf(reply.failure));
  }

  /** Ends all open calls, and every further one at once. The first reason counts. */
  endAll(reason: Error): void {
    this.#end ??= reason;
    for (const { reject } of this.#open.values()) reject(this.#end);
    this.#open.clear();
  }
}

interface OpenCall<Value> {
  resolve(value: Value): void;
  reject(reason: Error): void;
}

/**
 * The answering end: carries out a call and posts its end. What is thrown by a call for whose result nobody waits is
 * thrown on.
 */
export async function answer<Map extends CallMap<Map>, Op extends keyof Map>(
  handlers: CallHandlers<Map>,
  { op, call, values }: ThreadCall<Map, Op>,
  post: Post<CallReply<Map>>,
): Promise<void> {
  try {
    const done = await handlers[op](...values);
    if (call === 0) return;
    if (done instanceof ResultWithMemory) post({ call, result: done.value }, done.memory);
    else post({ call, result: done }, []);
  } catch (error) {
    if (call === 0) throw error;
    post({ call, failure: partsOf(error) }, []);
  }
}

/** Null once a call has succeeded; otherwise why not. */
export type CallFailure = string | null;

/** How a call ends that has a time limit: it may also be late. A call that results in a text fails for this reason. */
export async function failureOf(call: Promise<unknown>, timeoutMs: number): Promise<CallFailure> {
  const late = Promise.withResolvers<CallFailure>();
  const timer = setTimeout(() => late.resolve(`it took longer than ${timeoutMs} ms`), timeoutMs);
  const ended = call.then((result) => (typeof result === 'string' ? result : null), failureText);
  try {
    return await Promise.race([ended, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function failureText(error: unknown): string {
  const code = errorCode(error);
  return code === '' ? reasonOf(error) : `${reasonOf(error)} (${code})`;
}
