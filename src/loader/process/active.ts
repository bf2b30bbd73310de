/** Opens the active publication for a load to compare with or to build on. */
import { reasonOf } from '../../errors.ts';
import type { Layout } from '../../publication/layout.ts';
import type { Manifest } from '../../publication/manifest.ts';
import { bytesOf } from '../../publication/manifest-facts.ts';
import { type Pointer, readPointer } from '../../publication/pointer.ts';
import { readManifest } from '../../publication/sealed.ts';
import { type Base, openBase } from '../base.ts';
import { loadedDifference } from '../digest/difference.ts';
import { LoadFailure, type LoadReport, type LoadRequest } from '../load-request.ts';
import type { Source } from '../source.ts';
import { type ActiveCopy, copyActive } from './copy-active.ts';
import { bytesNeeded, checkSpace } from './disk.ts';

export interface Active {
  readonly manifest: Manifest;
  readonly base: Base;
  /** What a delta or a history begins with; null for a full set. */
  readonly copy: ActiveCopy | null;
}

/**
 * The active publication; null before the first load and over the bundled sample, which is never a baseline. A full set
 * also continues without an unreadable one, with a warning.
 * @throws LoadFailure if a delta or a history has nothing to build on, or a newer version made the active one
 */
export async function openActive(
  layout: Layout,
  request: LoadRequest,
  sources: readonly Source[],
  report: LoadReport,
): Promise<Active | null> {
  const needed = request.delta || request.purpose === 'history';
  const pointer = pointerOrWarning(layout, needed, report);
  if (pointer === null) return withoutBase(needed, 'there is no active publication yet');
  const reading = readManifest(layout, pointer.id, 'loaded');
  if (reading.outcome === 'newer-format') throw new LoadFailure('active-unreadable', reading.message);
  if (reading.outcome !== 'sound') return unreadable(reading.message, needed, report);
  const { manifest } = reading;
  if (manifest.sample) return withoutBase(needed, 'the active publication is the bundled sample');
  if (needed) checkSpace(layout, bytesOf(manifest) + bytesNeeded(request, sources));
  const checked = await check(layout, manifest, needed, report);
  if (typeof checked === 'string') {
    return unreadable(`Publication ${manifest.id} is damaged: ${checked}`, needed, report);
  }
  const { id } = manifest;
  return { manifest, base: openBase(layout.publication(id), id), copy: checked };
}

/** A full set can do without a readable pointer; a delta or a history can't. */
function pointerOrWarning(layout: Layout, needed: boolean, report: LoadReport): Pointer | null {
  try {
    return readPointer(layout);
  } catch (error) {
    return unreadable(reasonOf(error), needed, report);
  }
}

/**
 * Compares digests before reading a page: a damaged page can crash this process, and a delta would copy it into a
 * publication that is sealed as sound.
 */
function check(
  layout: Layout,
  manifest: Manifest,
  copied: boolean,
  report: LoadReport,
): Promise<ActiveCopy | string | null> {
  const bytes = bytesOf(manifest);
  report.progress({ phase: 'checking what is active', progress: 0, bytes: 0, bytesTotal: bytes, rows: 0 });
  return copied ? copyActive(layout, manifest) : loadedDifference(layout, manifest);
}

function unreadable(reason: string, needed: boolean, report: LoadReport): null {
  if (needed) {
    throw new LoadFailure(
      'active-unreadable',
      `${reason} Activate a publication to replace it (lei publications lists them, lei verify checks one), or load all data again (lei update --full, or lei load without --delta).`,
    );
  }
  report.message(
    `Warning: ${reason} This load is not compared with it: the change history starts anew, and the gates entity-count and resolvable-relationships are not applied. To keep both, activate a sound publication (lei publications lists them) and load again.`,
  );
  return null;
}

function withoutBase(needed: boolean, reason: string): null {
  if (!needed) return null;
  throw new LoadFailure(
    'nothing-to-build-on',
    `This needs a publication to build on, but ${reason}; load a full set first.`,
  );
}
