/**
 * Numbers terms in order of first appearance: a hash table over typed arrays. Two million short strings in a Map would
 * take a quarter of a gigabyte, and every garbage collection would visit them.
 */
import { hashItems, hashText } from '../../../bytes/hash.ts';
import { NumberPieces, withRoom } from '../../../bytes/memory.ts';

export class TermNumbers {
  size = 0;
  private units = new Uint16Array(1 << 20);
  /** The same memory as bytes. */
  private bytes = Buffer.from(this.units.buffer);
  private length = 0;
  /** The beginning of each term in `units`; it ends where the next one begins. */
  private readonly starts = new NumberPieces();
  /** One more than the number of a term, by hash with open addressing; 0 if free. */
  private places = new Uint32Array(1 << 16);

  /** The term's number; a new term gets the next one. */
  numberOf(term: string): number {
    const mask = this.places.length - 1;
    let place = hashText(term, 0) & mask;
    for (;;) {
      const taken = this.places[place] ?? 0;
      if (taken === 0) break;
      if (this.holds(taken - 1, term)) return taken - 1;
      place = (place + 1) & mask;
    }
    this.places[place] = this.size + 1;
    this.store(term);
    if (this.size * 2 > this.places.length) this.grow();
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
    const needed = this.length + term.length;
    const units = withRoom(this.units, this.length, needed, (length) => new Uint16Array(length));
    if (units !== this.units) {
      this.units = units;
      this.bytes = Buffer.from(units.buffer);
    }
    this.starts.push(this.length);
    for (let i = 0; i < term.length; i++) units[this.length + i] = term.charCodeAt(i);
    this.length += term.length;
    this.size++;
  }

  private grow(): void {
    const places = new Uint32Array(this.places.length * 2);
    const mask = places.length - 1;
    for (let number = 0; number < this.size; number++) {
      let place = this.hash(number) & mask;
      while (places[place] !== 0) place = (place + 1) & mask;
      places[place] = number + 1;
    }
    this.places = places;
  }

  /** A hash of the term's text; see {@link hashItems}. */
  hash(number: number): number {
    return hashItems(this.units, this.starts.at(number), this.end(number), 0);
  }

  text(number: number): string {
    return this.bytes.toString('utf16le', this.starts.at(number) * 2, this.end(number) * 2);
  }

  /** Copies the term's UTF-16 units. @returns how many */
  copyUnits(number: number, into: Uint16Array): number {
    const start = this.starts.at(number);
    const length = this.end(number) - start;
    for (let i = 0; i < length; i++) into[i] = this.units[start + i] ?? 0;
    return length;
  }
}
