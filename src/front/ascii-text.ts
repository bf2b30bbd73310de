/**
 * Builds short ASCII texts, such as header values: writes bytes into one buffer and makes a string at the end. Joining
 * strings would allocate memory for each number and each step, and fresh memory is slow to reach (decision 053).
 */
export class AsciiText {
  readonly #bytes = Buffer.alloc(charactersMax);
  #length = 0;

  /** Starts a new text. */
  begin(): this {
    this.#length = 0;
    return this;
  }

  byte(code: number): this {
    this.#bytes[this.#length++] = code;
    return this;
  }

  put(piece: Uint8Array): this {
    const bytes = this.#bytes;
    let end = this.#length;
    for (let at = 0; at < piece.length; at++) bytes[end++] = piece[at] ?? 0;
    this.#length = end;
    return this;
  }

  /** A whole number that is not negative. */
  number(value: number): this {
    // Within 32 bits a division needs no floating point.
    if (value > 0x7fff_ffff) return this.put(Buffer.from(String(value)));
    const start = this.#length;
    let at = start;
    for (let rest = value; rest >= 10; rest = (rest / 10) | 0) at++;
    this.#length = at + 1;
    for (let rest = value; at >= start; at--) {
      const tenth = (rest / 10) | 0;
      this.#bytes[at] = zero + rest - 10 * tenth;
      rest = tenth;
    }
    return this;
  }

  toString(): string {
    return this.#bytes.toString('latin1', 0, this.#length);
  }
}

/** A header value contains at most three numbers and a few words. */
const charactersMax = 256;
const zero = '0'.charCodeAt(0);
