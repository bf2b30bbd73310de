/** Counts the bytes of large bodies in flight, in total and per client. */

interface BudgetLimits {
  readonly inFlightBytesMax: number;
  readonly clientInFlightBytesMax: number;
}

/** The part of the budget that a body occupies until it is freed. */
export interface Share {
  readonly client: string;
  /** Changes how many bytes it occupies. */
  resize(bytes: number): void;
  /** Frees the whole share; a second call changes nothing. */
  free(): void;
}

/**
 * A share is granted while less than the limit is in flight, whatever its size. A client with nothing else in flight
 * can therefore always get the largest body, and the size of a body need not be known to refuse it.
 */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #ofClient = new Map<string, number>();
  #bytes = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** In flight to all clients. */
  get bytes(): number {
    return this.#bytes;
  }

  get isFull(): boolean {
    return this.#bytes >= this.#limits.inFlightBytesMax;
  }

  isFullFor(client: string): boolean {
    return (this.#ofClient.get(client) ?? 0) >= this.#limits.clientInFlightBytesMax;
  }

  /** Call it only if no limit is reached. */
  take(client: string, bytes: number): Share {
    let taken = 0;
    const resize = (wanted: number) => {
      this.#add(client, wanted - taken);
      taken = wanted;
    };
    resize(bytes);
    return { client, resize, free: () => resize(0) };
  }

  #add(client: string, bytes: number): void {
    const left = (this.#ofClient.get(client) ?? 0) + bytes;
    if (left === 0) this.#ofClient.delete(client);
    else this.#ofClient.set(client, left);
    this.#bytes += bytes;
  }
}

/** Receives the size of each piece of an arriving body; false if there is no room for it. */
export type HasRoomForPiece = (pieceBytes: number) => boolean;

/** Bytes of arriving bodies, in total and per client, divided among the fronts. */
export interface ArrivingLimits {
  readonly bodiesBytesMax: number;
  readonly clientBodiesBytesMax: number;
}

/** Reads bodies whose bytes are counted while they arrive. */
export class ArrivingBodies {
  readonly #budget: Budget;

  constructor({ bodiesBytesMax, clientBodiesBytesMax }: ArrivingLimits, fronts: number) {
    this.#budget = new Budget({
      inFlightBytesMax: bodiesBytesMax / fronts,
      clientInFlightBytesMax: clientBodiesBytesMax / fronts,
    });
  }

  /** The bytes of a body count until `read` settles. */
  read<Value>(client: string, read: (hasRoom: HasRoomForPiece) => Promise<Value>): Promise<Value> {
    const budget = this.#budget;
    const share = budget.take(client, 0);
    let bytes = 0;
    const hasRoom = (pieceBytes: number) => {
      if (budget.isFull || budget.isFullFor(client)) return false;
      bytes += pieceBytes;
      share.resize(bytes);
      return true;
    };
    return read(hasRoom).finally(share.free);
  }
}
