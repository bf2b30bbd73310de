/**
 * Runs in a packing thread: packs rows of tables that the loader's own thread writes. It opens no file and no
 * environment.
 */
import { identifierKinds } from '../../lei/identifier-kinds.ts';
import { blockedTables, type RowBlock } from '../../store/row-blocks.ts';
import { type PackedTableName, type PackTask, pack } from '../build/packer.ts';

export interface PackedRows {
  readonly blocks: readonly RowBlock<PackedTableName>[];
  /** @see pack */
  readonly entries: number;
}

const names = ['mappings', 'isinLists', 'directory', ...identifierKinds] as const;

/** @returns the function to call with each task */
export function packThread(): (task: PackTask) => PackedRows {
  let blocks: RowBlock<PackedTableName>[] = [];
  const { tables, flush } = blockedTables(
    names,
    (block: RowBlock<PackedTableName>) => void blocks.push(block),
  );
  return (task) => {
    blocks = [];
    const entries = pack(task, tables);
    flush();
    return { blocks, entries };
  };
}

export function memoryOfRows({ blocks }: PackedRows): ArrayBuffer[] {
  return blocks.map(({ bytes }) => bytes.buffer);
}
