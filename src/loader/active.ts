/** The active publication, as a load compares with it or builds on it. */
import type { Layout } from '../publication/layout.ts';
import type { Manifest } from '../publication/manifest.ts';
import { type Pointer, readPointer } from '../publication/pointer.ts';
import { readManifest } from '../publication/sealed.ts';
import { type Base, openBase } from './base.ts';
import { LoadFailure, type LoadReport, type LoadRequest } from './load-request.ts';

export interface Active {
  readonly manifest: Manifest;
  readonly base: Base;
}

/**
 * Null where there is none to compare with: before the first load, and over the bundled sample, which is never a
 * baseline.
 * @throws LoadFailure where the load needs one, or where the active one can't be read
 */
export async function openActive(
  layout: Layout,
  request: LoadRequest,
  report: LoadReport,
): Promise<Active | null> {
  const needed = request.delta || request.purpose === 'history';
  const pointer = pointerOrWarning(layout, needed, report);
  if (pointer === null) return withoutBase(needed, 'there is no active publication yet');
  const reading = readManifest(layout, pointer.id);
  if (reading.outcome !== 'sound') {
    if (needed || reading.outcome === 'newer-format')
      throw new LoadFailure('active-unreadable', reading.message);
    report.message(`Warning: ${reading.message} Nothing is compared with it.`);
    return null;
  }
  const { manifest } = reading;
  if (manifest.sample) return withoutBase(needed, 'the active publication is the bundled sample');
  return { manifest, base: openBase(layout.publication(manifest.id), manifest.id) };
}

/** A damaged pointer stops only what builds on the publication it named; a full set makes a new one. */
function pointerOrWarning(layout: Layout, needed: boolean, report: LoadReport): Pointer | null {
  try {
    return readPointer(layout);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (needed) throw new LoadFailure('active-unreadable', reason);
    report.message(`Warning: ${reason} Nothing is compared with it.`);
    return null;
  }
}

function withoutBase(needed: boolean, reason: string): null {
  if (!needed) return null;
  throw new LoadFailure(
    'nothing-to-build-on',
    `This needs a publication to build on, but ${reason}; load a full set first.`,
  );
}
