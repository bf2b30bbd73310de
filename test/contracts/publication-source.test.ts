/** Tests that every publication source fulfils the contract. */
import { describe } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { layout } from '../../src/publication/layout.ts';
import { folderSource } from '../../src/serve/swap/folder-source.ts';
import { sealPublication } from '../serve/swap/sealed-folder.ts';
import { temporaryFolder } from '../support/folders.ts';
import { publicationSourceContract } from './publication-sources.ts';

describe('a publication source', () => {
  publicationSourceContract('a data folder', () => {
    const paths = layout(temporaryFolder('source'));
    const ids = ['20261001T000000Z-00000001', '20261002T000000Z-00000002'] as const;
    for (const id of ids) sealPublication(paths, id);
    return {
      source: folderSource(paths),
      ids,
      damage: () => writeFileSync(paths.pointer, 'rubbish'),
      // A folder in place of the file that is written before it is renamed.
      refuseWriting: () => mkdirSync(`${paths.pointer}.${process.pid}.tmp`),
    };
  });
});
