/** Manages the folder a publication is built in: it is made, filled, and then sealed by a rename or discarded. */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import type { Layout } from '../../publication/layout.ts';
import type { Manifest } from '../../publication/manifest.ts';
import { sync, writeDurably } from '../../publication/pointer.ts';
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

/** Runs a build; if it fails, removes its folder and says so if the disk is full. */
export async function discardOnFailure<T>(layout: Layout, id: string, build: () => Promise<T>): Promise<T> {
  try {
    return await build();
  } catch (error) {
    const reason = explainWriteFailure(layout, error);
    discard(layout, id);
    throw reason;
  }
}

/** The next load removes what can't be removed now. An error here would hide why this load failed. */
function discard(layout: Layout, id: string): void {
  try {
    rmSync(layout.staged(id), { recursive: true, force: true });
  } catch {}
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
