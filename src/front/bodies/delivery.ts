/** One large body on its way: handed on in pieces as the connection takes them, and judged by its pace. */
import { freeMemory } from '../../protocol/free-memory.ts';
import type { Share } from './budget.ts';
import { bodyLimits } from './limits.ts';

const { pieceBytes, paceBytesPerSecondMin, patienceMs } = bodyLimits;
/** How long a piece satisfies the pace. */
const msPerByte = 1_000 / paceBytesPerSecondMin;

export interface DeliveryParts {
  /** Its memory belongs to the delivery. */
  readonly body: Uint8Array<ArrayBuffer>;
  readonly share: Share;
  /** A monotonic clock, in milliseconds. */
  readonly clock: () => number;
  /** Called once, however it ends. */
  readonly ended: (delivery: Delivery) => void;
}

export class Delivery {
  readonly share: Share;
  readonly #body: Uint8Array<ArrayBuffer>;
  readonly #clock: () => number;
  readonly #ended: (delivery: Delivery) => void;
  readonly stream: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #handedOn = 0;
  #isOver = false;
  /** When the reader is too slow. Each piece taken puts it off, to {@link patienceMs} from now at most. */
  #deadline: number;

  constructor({ body, share, clock, ended }: DeliveryParts) {
    this.share = share;
    this.#body = body;
    this.#clock = clock;
    this.#ended = ended;
    this.#deadline = clock() + patienceMs;
    this.stream = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => this.#handOn(controller),
        cancel: () => this.end(),
      },
      // Read nothing ahead of what the connection asks for.
      { highWaterMark: 0 },
    );
  }

  /** Milliseconds until the reader is too slow; 0 or less where it is. */
  patienceLeftMs(now: number): number {
    return this.#deadline - now;
  }

  /** Ends the connection: its client sees that the body is not whole. */
  breakOff(): void {
    // With a reason, the server might write it to standard error.
    this.#controller?.error();
    this.end();
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.share.free();
    freeMemory(this.#body);
    this.#ended(this);
  }

  /** The server asks for the next piece once the connection has taken the one before. */
  #handOn(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
    const from = this.#handedOn;
    const piece = this.#body.subarray(from, from + pieceBytes);
    if (piece.length === 0) {
      controller.close();
      this.end();
      return;
    }
    this.#handedOn += piece.length;
    const now = this.#clock();
    this.#deadline = Math.min(this.#deadline + piece.length * msPerByte, now + patienceMs);
    controller.enqueue(piece);
  }
}
