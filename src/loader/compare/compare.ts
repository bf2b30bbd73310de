/** Finds what this load changed compared with the previous publication, company by company. */
import { isRecord, leiLength, splitProvenance } from '../../store/company-record.ts';
import { readDirectoryValue } from '../../store/raw-publication.ts';
import { touch } from '../build/companies.ts';
import type { Comparison } from './comparison.ts';
import { compareExceptions } from './exception-changes.ts';
import { recordChanges } from './record-changes.ts';
import { compareRelationships } from './relationship-changes.ts';

/**
 * Writes all changes. The order of the steps is the order of items of one time: a company is created before it
 * has relationships.
 */
export function compare(comparison: Comparison): void {
  const companies = comparison.kinds.has('level-1');
  if (companies) logCreated(comparison);
  if (comparison.kinds.has('relationships')) compareRelationships(comparison);
  comparison.base.unmap();
  if (comparison.kinds.has('reporting-exceptions')) compareExceptions(comparison);
  comparison.base.unmap();
  if (companies) logChanged(comparison);
  if (companies && comparison.full) logRemoved(comparison);
}

function logCreated({ entities, companies, log }: Comparison): void {
  for (const entity of companies.brought()) {
    if (companies.touched(entity) === touch.created) log.created(entities.lei(entity));
  }
}

function logChanged(comparison: Comparison): void {
  const { base, entities, companies, log } = comparison;
  let looked = 0;
  for (const entity of companies.brought()) {
    if (companies.touched(entity) !== touch.changed) continue;
    if (++looked % companiesPerUnmap === 0) base.unmap();
    const before = readDirectoryValue(entities.baseValue(entity))?.entity ?? 0;
    const known = base.tables.entities.get(before, { transaction: base.transaction });
    const now = companies.stored(entity);
    if (known === undefined || now === undefined)
      throw new Error(`Entity ${entity} changed but is not stored.`);
    const changes = recordChanges(recordIn(known), recordIn(now));
    if (changes.length > 0) log.changed(entities.lei(entity), changes);
  }
}

/** Each scattered read also maps the pages around it, about 64 KB. */
const companiesPerUnmap = 2_000;

function recordIn(stored: string): string {
  const split = splitProvenance(stored);
  if (split === null) throw new Error('A company that changed has no record.');
  return split.record;
}

function logRemoved({ base, companies, log }: Comparison): void {
  for (let entity = 1; entity <= base.meta.lastEntity; entity++) {
    if (companies.seenInBase(entity)) continue;
    const stored = base.tables.entities.get(entity, { transaction: base.transaction }) ?? '';
    if (isRecord(stored)) log.removed(stored.slice(0, leiLength));
  }
}
