/** Splits a stream of XML into trees of its header and its records, in bounded memory. */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { FileRefusal, limits, type PlaceReader } from '../file-reader.ts';
import { families, type RecordFamily } from '../tree/tree.ts';
import { type Name, XmlNames } from './names.ts';
import { TreeBuilder } from './tree-builder.ts';

interface XmlListener {
  family?(family: RecordFamily): void;
  /** @param node the header as a tree */
  header?(node: unknown): void;
  /** @param node the record as a tree */
  record?(node: unknown): void;
}

const probe = 'lei-between-records';

export class XmlSplitter implements PlaceReader {
  /** Each push takes it back: a piece may end anywhere. The user sets it if the piece ended with a record. */
  isWhole = false;
  readonly #listener: XmlListener;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  // Keep no line numbers, which would halve the speed: faults name the number of the record instead.
  readonly #parser = new SaxesParser({ xmlns: false, position: false });
  readonly #names = new XmlNames();
  #family: RecordFamily | undefined;
  #builder: TreeBuilder | undefined;
  /** Name of the element that the builder is reading. */
  #building = '';
  #depth = 0;
  #records = 0;
  /** Characters passed to the parser in total, before its last event, and before the current element. */
  #given = 0;
  #atEvent = 0;
  #atElement = 0;

  constructor(listener: XmlListener) {
    this.#listener = listener;
    const parser = this.#parser;
    parser.on('error', (error) => this.#malformed(error));
    parser.on('xmldecl', ({ encoding }) => refuseOtherEncoding(encoding));
    parser.on('doctype', () => {
      throw new FileRefusal(
        'has a document type declaration, which may define entities; the formats have none, so it is refused',
      );
    });
    parser.on('opentag', (tag) => this.#openTag(tag));
    parser.on('closetag', () => this.#closeTag());
    parser.on('text', (text) => this.#text(text));
    parser.on('cdata', (text) => this.#text(text));
  }

  push(chunk: Uint8Array): void {
    this.isWhole = false;
    this.#write(this.#decoded(chunk));
    this.#refuseLong();
  }

  get places(): number {
    return this.#records;
  }

  skip(places: number): void {
    this.#records += places;
  }

  /**
   * Whether a record could begin now, directly in the list of records. The splitter is used up by the question: an
   * instruction is given to the parser, which tells of it only where it is between two elements.
   */
  endsBetweenRecords(): boolean {
    let isBetween = false;
    this.#parser.on('processinginstruction', ({ target, body }) => {
      isBetween = `${target}${body}` === probe && this.#depth === 2 && this.#builder === undefined;
    });
    this.#parser.write(`<?${probe}?>`);
    return isBetween;
  }

  end(): void {
    this.#write(this.#decoded());
    if (this.#family === undefined) throw new FileRefusal('contains no XML element');
    this.#parser.close();
  }

  #write(text: string): void {
    this.#given += text.length;
    this.#parser.write(text);
  }

  #decoded(chunk?: Uint8Array): string {
    try {
      return chunk === undefined ? this.#decoder.decode() : this.#decoder.decode(chunk, { stream: true });
    } catch {
      throw new FileRefusal(
        `is not valid UTF-8 after record ${this.#records}; all files that GLEIF publishes are UTF-8`,
      );
    }
  }

  /** The parser collects a text or a tag before it reports it, so an endless one must be noticed from outside. */
  #refuseLong(): void {
    if (this.#given - this.#atEvent > limits.sourceFieldBytesMax * 2) {
      throw new FileRefusal(
        `a value after record ${this.#records} has more than the ${limits.sourceFieldBytesMax} characters ` +
          'allowed (limit sourceFieldBytesMax)',
      );
    }
    if (this.#builder !== undefined && this.#given - this.#atElement > limits.sourceRecordBytesMax) {
      throw new FileRefusal(
        `record ${this.#records + 1} is longer than ${limits.sourceRecordBytesMax} bytes (limit sourceRecordBytesMax)`,
      );
    }
  }

  #openTag({ name: written, attributes }: SaxesTagPlain): void {
    this.#atEvent = this.#given;
    this.#depth++;
    if (this.#depth > limits.sourceDepthMax)
      throw new FileRefusal(`has elements nested more than ${limits.sourceDepthMax} deep`);
    this.#names.open(attributes);
    const name = this.#names.element(written);
    if (this.#family === undefined) this.#family = this.#recogniseRoot(name);
    if (this.#builder === undefined && this.#isBuilt(name, this.#family)) {
      this.#builder = new TreeBuilder(this.#family.namespace, this.#names);
      this.#building = name.local;
      this.#atElement = this.#given;
    }
    this.#builder?.openTag(name, attributes);
  }

  #recogniseRoot(tag: Name): RecordFamily {
    const family = families.find(({ root, namespace }) => tag.local === root && tag.uri === namespace);
    if (family === undefined) {
      const known = families.map(({ root, namespace }) => `${root} of ${namespace}`).join(', ');
      throw new FileRefusal(
        `its root element is ${tag.local} of ${tag.uri === '' ? 'no namespace' : tag.uri}; known are ${known}`,
      );
    }
    this.#listener.family?.(family);
    return family;
  }

  /** The header directly below the root, records one level further down. */
  #isBuilt(tag: Name, family: RecordFamily): boolean {
    if (tag.uri !== family.namespace) return false;
    return this.#depth === 2 ? tag.local === family.header : this.#depth === 3 && tag.local === family.record;
  }

  #closeTag(): void {
    this.#atEvent = this.#given;
    this.#depth--;
    this.#names.close();
    const tree = this.#builder?.closeTag() ?? null;
    if (tree === null) return;
    this.#builder = undefined;
    if (this.#building === this.#family?.header) {
      this.#listener.header?.(tree);
      return;
    }
    this.#records++;
    this.#listener.record?.(tree);
  }

  #text(text: string): void {
    this.#atEvent = this.#given;
    this.#builder?.text(text);
  }

  #malformed(error: Error): never {
    throw new FileRefusal(`is not well-formed XML after record ${this.#records}: ${error.message}`);
  }
}

function refuseOtherEncoding(encoding: string | undefined): void {
  if (encoding === undefined || /^(utf-?8|us-ascii)$/i.test(encoding)) return;
  throw new FileRefusal(`states the encoding ${encoding}; all files that GLEIF publishes are UTF-8`);
}
