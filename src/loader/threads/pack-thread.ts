/**
 * Runs in a packing thread: packs rows of tables that the loader's own thread writes. It opens no file and no
 * environment.
 */
import { placeOf } from '../../errors.ts';
import { identifierKinds } from '../../lei/identifier-kinds.ts';
import { blockedTables, type RowBlock } from '../../store/row-blocks.ts';
import { type PackedTableName, type PackTask, pack } from '../build/packer.ts';

/** From the thread, one for each task, in order. */
export type PackNews =
  | { readonly news: 'packed'; readonly packed: PackedRows }
  | { readonly news: 'failed'; readonly message: string };

export interface PackedRows {
  readonly blocks: readonly RowBlock<PackedTableName>[];
  /** @see pack */
  readonly entries: number;
}

const names = ['mappings', 'isinLists', 'directory', ...identifierKinds] as const;

/** @returns the function to call with each task */
export function packThread(
  tell: (news: PackNews, transfer: ArrayBuffer[]) => void,
): (task: PackTask) => void {
  let blocks: RowBlock<PackedTableName>[] = [];
  const { tables, flush } = blockedTables(
    names,
    (block: RowBlock<PackedTableName>) => void blocks.push(block),
  );
  const run = (task: PackTask) => {
    const entries = pack(task, tables);
    flush();
    const transfer = blocks.map(({ bytes }) => bytes.buffer);
    tell({ news: 'packed', packed: { blocks, entries } }, transfer);
    blocks = [];
  };
  return (task) => {
    try {
      run(task);
    } catch (error) {
      tell({ news: 'failed', message: placeOf(error) }, []);
    }
  };
}
