/**
 * Lists the pages of an lmdb environment that a delta wrote, table by table, and those with a changed row. It reads the
 * trees of both environments: a page that no transaction wrote is the same in both, as is everything below it.
 */
import { closeSync, openSync, readSync } from 'node:fs';

const pageBytes = 4096;
const headBytes = 24;
const isBranch = 1;
/** Flags of a row: its value has pages of its own; it describes a table. */
const onOwnPages = 1;
const isTable = 2;
const hasNumberKeys = 8;
const noPage = 2n ** 64n - 1n;

/** A table's tree: the page where its description says that it begins. */
interface Tree {
  readonly numberKeys: boolean;
  readonly root: bigint;
}

interface Row {
  readonly key: Buffer;
  readonly flags: number;
  /** The value, or its page. */
  readonly value: Buffer;
  readonly bytes: number;
}

class EnvironmentFile {
  readonly #file: number;
  readonly #kept = new Map<bigint, Buffer>();
  readonly main: Tree;
  readonly free: Tree;
  /** The last transaction. */
  readonly transaction: bigint;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
    const [first, second] = [this.page(0n), this.page(1n)];
    const meta = first.readBigUInt64LE(152) > second.readBigUInt64LE(152) ? first : second;
    this.free = treeIn(meta.subarray(48, 96));
    this.main = treeIn(meta.subarray(96, 144));
    this.transaction = meta.readBigUInt64LE(152);
  }

  page(number: bigint): Buffer {
    const known = this.#kept.get(number);
    if (known !== undefined) return known;
    const page = Buffer.alloc(pageBytes);
    readSync(this.#file, page, 0, pageBytes, Number(number) * pageBytes);
    this.#kept.set(number, page);
    return page;
  }

  /** The bytes of a value, which may be many pages. */
  valueOf({ flags, value, bytes }: Row): Buffer {
    if ((flags & onOwnPages) === 0) return value;
    const all = Buffer.alloc(bytes);
    readSync(this.#file, all, 0, bytes, Number(value.readBigUInt64LE(0)) * pageBytes + headBytes);
    return all;
  }

  find(tree: Tree, key: Buffer): Row | null {
    if (tree.root === noPage) return null;
    let page = this.page(tree.root);
    while ((page.readUInt16LE(18) & isBranch) !== 0) {
      let [low, high] = [1, rowCountOf(page)];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (compare(tree, rowAt(page, middle).key, key) <= 0) low = middle + 1;
        else high = middle;
      }
      page = this.page(childAt(page, low - 1));
    }
    for (let i = 0; i < rowCountOf(page); i++) {
      const row = rowAt(page, i);
      if (row.key.equals(key)) return row;
    }
    return null;
  }

  close(): void {
    closeSync(this.#file);
  }
}

function treeIn(description: Buffer): Tree {
  const numberKeys = (description.readUInt16LE(4) & hasNumberKeys) !== 0;
  return { numberKeys, root: description.readBigUInt64LE(40) };
}

function compare({ numberKeys }: Tree, a: Buffer, b: Buffer): number {
  return numberKeys ? a.readUInt32LE(0) - b.readUInt32LE(0) : a.compare(b);
}

function rowCountOf(page: Buffer): number {
  return page.readUInt16LE(20) >>> 1;
}

function nodeAt(page: Buffer, index: number): number {
  return headBytes + page.readUInt16LE(headBytes + 2 * index);
}

function childAt(page: Buffer, index: number): bigint {
  return BigInt(page.readUIntLE(nodeAt(page, index), 6));
}

function rowAt(page: Buffer, index: number): Row {
  const at = nodeAt(page, index);
  const keyEnd = at + 8 + page.readUInt16LE(at + 6);
  const flags = page.readUInt16LE(at + 4);
  const bytes = page.readUInt32LE(at);
  const key = page.subarray(at + 8, keyEnd);
  const value = page.subarray(keyEnd, keyEnd + ((flags & onOwnPages) === 0 ? bytes : 8));
  return { key, flags, value, bytes };
}

/** Pages of a table that a delta wrote. */
export interface WrittenPages {
  /** Pages with a new or changed row. */
  holding: number;
  /** Pages with rows, none of them changed. */
  besides: number;
  /** Pages that lead to others. */
  branches: number;
}

/** By table; the list of free pages is `(free)`, the list of tables `(tables)`. */
export function writtenPages(base: string, next: string): Map<string, WrittenPages> {
  const [before, after] = [new EnvironmentFile(base), new EnvironmentFile(next)];
  const found = new Map<string, WrittenPages>();
  count(before, after, before.free, after.free, written(found, '(free)'));
  count(before, after, before.main, after.main, written(found, '(tables)'), (name, tree) => {
    const known = before.find(before.main, name);
    const old = known === null ? { ...tree, root: noPage } : treeIn(known.value);
    count(before, after, old, tree, written(found, name.toString('utf8').replaceAll('\0', '')));
  });
  before.close();
  after.close();
  return found;
}

function written(found: Map<string, WrittenPages>, name: string): WrittenPages {
  const pages = { holding: 0, besides: 0, branches: 0 };
  found.set(name, pages);
  return pages;
}

type Visit = (name: Buffer, tree: Tree) => void;

function count(
  before: EnvironmentFile,
  after: EnvironmentFile,
  oldTree: Tree,
  tree: Tree,
  pages: WrittenPages,
  visit: Visit = () => {},
): void {
  const isChanged = (row: Row) => {
    const old = before.find(oldTree, row.key);
    return old === null || !before.valueOf(old).equals(after.valueOf(row));
  };
  const look = (number: bigint): void => {
    const page = after.page(number);
    if (page.readBigUInt64LE(8) <= before.transaction) return;
    if ((page.readUInt16LE(18) & isBranch) !== 0) {
      pages.branches++;
      for (let i = 0; i < rowCountOf(page); i++) look(childAt(page, i));
    } else lookAtRows(page, isChanged, pages, visit);
  };
  if (tree.root !== noPage) look(tree.root);
}

function lookAtRows(page: Buffer, isChanged: (row: Row) => boolean, pages: WrittenPages, visit: Visit): void {
  const rows = Array.from({ length: rowCountOf(page) }, (_, i) => rowAt(page, i));
  for (const { key, value, flags } of rows) if ((flags & isTable) !== 0) visit(key, treeIn(value));
  const changed = rows.filter(isChanged);
  const [large, small] = [changed.filter(isLarge), changed.filter((row) => !isLarge(row))];
  for (const { bytes } of large) pages.holding += Math.ceil((bytes + headBytes) / pageBytes);
  if (small.length > 0) pages.holding++;
  else pages.besides++;
}

function isLarge({ flags }: Row): boolean {
  return (flags & onOwnPages) !== 0;
}
