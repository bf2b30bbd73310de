/**
 * Tests that every store for shipped publications fulfils the contract. test/shipping/s3.test.ts does the same for S3.
 */
import { describe } from 'bun:test';
import { fileStore } from '../../src/shipping/file-store.ts';
import { temporaryFolder } from '../support/folders.ts';
import { objectStoreContract } from './object-stores.ts';

describe('a store of objects', () => {
  objectStoreContract('a folder', () => fileStore(temporaryFolder('objects')));
});
