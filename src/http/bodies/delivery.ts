/** Delivers one large body: in pieces as the connection takes them, while its reader is judged by its pace. */
import { freeMemory } from '../../protocol/json-bytes.ts';
import type { Share } from './budget.ts';
import { bodyLimits } from './limits.ts';

const { pieceBytes, paceBytesPerSecondMin, patienceMs } = bodyLimits;
/** How long a piece satisfies the required pace. */
const msPerByte = 1_000 / paceBytesPerSecondMin;

interface DeliveryParts {
  readonly share: Share;
  /** A monotonic clock, in milliseconds. */
  readonly clock: () => number;
  /** Called once, however it ends. */
  readonly ended: (delivery: Delivery) => void;
}

export class Delivery {
  readonly share: Share;
  /** The finished parts of the body, and their bytes. */
  readonly #parts: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;
  #isComplete = false;
  readonly #clock: () => number;
  readonly #ended: (delivery: Delivery) => void;
  readonly stream: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  /** The part being delivered, and how much of it is delivered. */
  #part = 0;
  #handedOn = 0;
  /** The connection has taken everything, and waits for the next part. */
  #isAwaited = false;
  #isOver = false;
  /** When the reader counts as too slow. Each piece taken postpones it, to {@link patienceMs} from now at most. */
  #deadline: number;

  constructor({ share, clock, ended }: DeliveryParts) {
    this.share = share;
    this.#clock = clock;
    this.#ended = ended;
    this.#deadline = clock() + patienceMs;
    this.stream = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => this.#handOn(controller),
        cancel: () => this.end(),
      },
      // Do not read ahead of what the connection asks for.
      { highWaterMark: 0 },
    );
  }

  /** Bytes of the parts so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a part, whose memory then belongs to the delivery. */
  add(part: Uint8Array<ArrayBuffer>): void {
    this.#bytes += part.length;
    if (this.#isOver) {
      freeMemory(part);
      return;
    }
    this.#parts.push(part);
    if (this.#bytes > part.length) this.share.resize(this.#bytes);
    if (this.#isAwaited) this.#goOn();
  }

  /** No further part follows. */
  complete(): void {
    this.#isComplete = true;
    if (this.#isAwaited) this.#goOn();
  }

  /** Milliseconds until the reader is too slow; 0 or less if it is. A reader that waits for us is not. */
  patienceLeftMs(now: number): number {
    return this.#isAwaited ? patienceMs : this.#deadline - now;
  }

  /** Ends the connection, so that its client sees that the body is incomplete. */
  breakOff(): void {
    // With a reason, the server might write it to standard error.
    this.#controller?.error();
    this.end();
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isAwaited = false;
    this.share.free();
    for (const part of this.#parts) freeMemory(part);
    this.#ended(this);
  }

  #goOn(): void {
    this.#isAwaited = false;
    if (this.#controller !== null) this.#handOn(this.#controller);
  }

  /** The server asks for the next piece once the connection has taken the one before. */
  #handOn(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
    const piece = this.#nextPiece();
    if (piece !== null) {
      const now = this.#clock();
      this.#deadline = Math.min(this.#deadline + piece.length * msPerByte, now + patienceMs);
      controller.enqueue(piece);
    } else if (this.#isComplete) {
      controller.close();
      this.end();
    } else {
      this.#isAwaited = true;
    }
  }

  /** Null if everything available was delivered. */
  #nextPiece(): Uint8Array<ArrayBuffer> | null {
    const part = this.#parts[this.#part];
    if (part === undefined) return null;
    const piece = part.subarray(this.#handedOn, this.#handedOn + pieceBytes);
    this.#handedOn += piece.length;
    if (this.#handedOn < part.length) return piece;
    this.#part++;
    this.#handedOn = 0;
    return piece;
  }
}
