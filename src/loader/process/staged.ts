/** Manages the folder a publication is built in: it is made, filled, and then sealed by a rename or discarded. */
import { mkdirSync, renameSync } from 'node:fs';
import type { Layout } from '../../publication/layout.ts';
import type { Manifest } from '../../publication/manifest.ts';
import { sync, writeDurably } from '../../publication/pointer.ts';
import { discardStaged } from '../staging.ts';
import type { ActiveCopy } from './copy-active.ts';
import { explainWriteFailure } from './disk.ts';
import type { Staged } from './plan.ts';

/** Makes the folder of a new publication. @param copy its initial content; null for nothing */
export function stage(layout: Layout, id: string, copy: ActiveCopy | null): Staged {
  const folder = layout.staged(id);
  if (copy === null) mkdirSync(folder, { recursive: true });
  else renameSync(copy.folder, folder);
  return { id, folder };
}

/** Runs a load; if it fails, removes what it left and says so if the disk is full. */
export async function discardOnFailure<T>(layout: Layout, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const reason = explainWriteFailure(layout, error);
    discardStaged(layout);
    throw reason;
  }
}

/** Writes the manifest, makes everything durable, and moves the folder to its place. */
export function seal(layout: Layout, manifest: Manifest): void {
  const { id } = manifest;
  writeDurably(layout.stagedManifest(id), `${JSON.stringify(manifest, null, 2)}\n`);
  sync(layout.stagedEnvironment(id));
  sync(layout.stagedCompanies(id));
  sync(layout.staged(id));
  renameSync(layout.staged(id), layout.publication(id));
  sync(layout.publications);
}
