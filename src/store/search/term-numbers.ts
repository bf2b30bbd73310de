/**
 * NumberPieces for terms in order of first appearance: a hash table over typed arrays. Two million short strings in a Map
 * would take a quarter of a gigabyte, and every garbage collection would walk them.
 */
import { hashItems, hashText } from '../../bytes/hash.ts';
import { NumberPieces } from '../../bytes/number-pieces.ts';
import { withRoom } from '../../bytes/room.ts';

export class TermNumbers {
  size = 0;
  private units = new Uint16Array(1 << 20);
  private length = 0;
  /** Where each term begins in `units`; its end is the next one's beginning. */
  private readonly starts = new NumberPieces();
  /** Term number + 1 by hash, open addressing; 0 where free. */
  private slots = new Uint32Array(1 << 16);

  /** The term's number; a new term gets the next one. */
  numberOf(term: string): number {
    const mask = this.slots.length - 1;
    let slot = hashText(term, 0) & mask;
    for (;;) {
      const taken = this.slots[slot] ?? 0;
      if (taken === 0) break;
      if (this.holds(taken - 1, term)) return taken - 1;
      slot = (slot + 1) & mask;
    }
    this.slots[slot] = this.size + 1;
    this.store(term);
    if (this.size * 2 > this.slots.length) this.grow();
    return this.size - 1;
  }

  private end(number: number): number {
    return number + 1 < this.size ? this.starts.at(number + 1) : this.length;
  }

  private holds(number: number, term: string): boolean {
    const start = this.starts.at(number);
    if (this.end(number) - start !== term.length) return false;
    for (let i = 0; i < term.length; i++) if (this.units[start + i] !== term.charCodeAt(i)) return false;
    return true;
  }

  private store(term: string): void {
    this.units = withRoom(
      this.units,
      this.length,
      this.length + term.length,
      (units) => new Uint16Array(units),
    );
    this.starts.push(this.length);
    for (let i = 0; i < term.length; i++) this.units[this.length + i] = term.charCodeAt(i);
    this.length += term.length;
    this.size++;
  }

  private grow(): void {
    const slots = new Uint32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      let slot = hashItems(this.units, this.starts.at(number), this.end(number), 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.slots = slots;
  }

  text(number: number): string {
    return Buffer.from(this.units.buffer).toString(
      'utf16le',
      this.starts.at(number) * 2,
      this.end(number) * 2,
    );
  }

  /** Copies the term's UTF-16 units. @returns how many */
  copyUnits(number: number, into: Uint16Array): number {
    const start = this.starts.at(number);
    const length = this.end(number) - start;
    for (let i = 0; i < length; i++) into[i] = this.units[start + i] ?? 0;
    return length;
  }
}
