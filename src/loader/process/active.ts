/** The active publication, as a load compares with it or builds on it. */
import { reasonOf } from '../../errors.ts';
import type { Layout } from '../../publication/layout.ts';
import type { Manifest } from '../../publication/manifest.ts';
import { type Pointer, readPointer } from '../../publication/pointer.ts';
import { readManifest } from '../../publication/sealed.ts';
import { type Base, openBase } from '../base.ts';
import { environmentDifference } from '../digest.ts';
import { LoadFailure, type LoadReport, type LoadRequest } from '../load-request.ts';
import type { Source } from '../rows.ts';

export interface Active {
  readonly manifest: Manifest;
  readonly base: Base;
}

/** What a load is made of: what is asked, what it reads, and what it compares with or builds on. */
export interface Load {
  readonly request: LoadRequest;
  readonly report: LoadReport;
  readonly layout: Layout;
  /** By kind, and of each kind from the oldest content to the newest. */
  readonly sources: readonly Source[];
  readonly active: Active | null;
}

/**
 * Null where there is none to compare with: before the first load, and over the bundled sample, which is never a
 * baseline; also where a full set can't read it, which is warned of.
 * @throws LoadFailure where the load needs one, or where a newer version made the active one
 */
export async function openActive(
  layout: Layout,
  request: LoadRequest,
  report: LoadReport,
): Promise<Active | null> {
  const needed = request.delta || request.purpose === 'history';
  const pointer = pointerOrWarning(layout, needed, report);
  if (pointer === null) return withoutBase(needed, 'there is no active publication yet');
  // The company file is made anew from the tables: one that is damaged stops nothing.
  const reading = readManifest(layout, pointer.id, 'environment');
  if (reading.outcome === 'newer-format') throw new LoadFailure('active-unreadable', reading.message);
  if (reading.outcome !== 'sound') return unreadable(reading.message, needed, report);
  const { manifest } = reading;
  if (manifest.sample) return withoutBase(needed, 'the active publication is the bundled sample');
  const damage = await findDamage(layout, manifest, report);
  if (damage !== null) return unreadable(damage, needed, report);
  return { manifest, base: openBase(layout.publication(manifest.id), manifest.id) };
}

/** A damaged pointer stops only what builds on the publication it named; a full set makes a new one. */
function pointerOrWarning(layout: Layout, needed: boolean, report: LoadReport): Pointer | null {
  try {
    return readPointer(layout);
  } catch (error) {
    return unreadable(reasonOf(error), needed, report);
  }
}

/**
 * Looked for before a page of it is read: a damaged one can end this process without a word, and what a delta copies
 * of it would be sealed as sound.
 */
async function findDamage(layout: Layout, manifest: Manifest, report: LoadReport): Promise<string | null> {
  const { bytes } = manifest.environment;
  report.progress({ phase: 'checking what is active', progress: 0, bytes: 0, bytesTotal: bytes, rows: 0 });
  const difference = await environmentDifference(layout, manifest);
  return difference === null ? null : `Publication ${manifest.id} is damaged: ${difference}`;
}

function unreadable(reason: string, needed: boolean, report: LoadReport): null {
  if (needed) {
    throw new LoadFailure(
      'active-unreadable',
      `${reason} Activate a publication to replace it (lei publications lists them, lei verify checks one).`,
    );
  }
  report.message(
    `Warning: ${reason} Nothing is compared with it: the change history ends here, and neither the number of companies nor the share of resolvable relationships is checked. To keep them, activate a publication that is sound (lei publications lists them) and load again.`,
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
