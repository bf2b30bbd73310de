/** A growing list of 32-bit numbers in pieces: growing needs neither a copy nor twice the memory. */

const pieceBits = 18;
const pieceMask = (1 << pieceBits) - 1;

export class NumberPieces {
  length = 0;
  private readonly pieces: Uint32Array[] = [];

  push(value: number): void {
    const at = this.length & pieceMask;
    if (at === 0) this.pieces.push(new Uint32Array(1 << pieceBits));
    const piece = this.pieces[this.length >>> pieceBits];
    if (piece !== undefined) piece[at] = value;
    this.length++;
  }

  at(index: number): number {
    return this.pieces[index >>> pieceBits]?.[index & pieceMask] ?? 0;
  }

  set(index: number, value: number): void {
    const piece = this.pieces[index >>> pieceBits];
    if (piece !== undefined) piece[index & pieceMask] = value;
  }

  /** Empties the list and leaves its memory to the collector. */
  clear(): void {
    this.pieces.length = 0;
    this.length = 0;
  }
}
