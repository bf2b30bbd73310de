/** Builds GLEIF's names of its files: each archive and its one member. */
import type { Family } from '../lei/golden-copy.ts';
import { type MappingKind, mappingTable } from '../lei/identifier-kinds.ts';
import { utcTime } from './dates.ts';
import type { Format } from './files/golden-copy.ts';

export interface FileName {
  readonly archive: string;
  readonly member: string;
}

/** A time as GLEIF's file names write it: day `20261004`, time `160000`. */
function stamps(seconds: number): { day: string; time: string } {
  const text = utcTime(seconds);
  return { day: text.slice(0, 10).replaceAll('-', ''), time: text.slice(11, 19).replaceAll(':', '') };
}

/** Such as `20261004-1600-gleif-goldencopy-lei2-golden-copy.csv.zip`. */
export function goldenCopyName(
  family: Family,
  published: number,
  window: 'golden-copy' | 'last-day',
  format: Format,
): FileName {
  const { day, time } = stamps(published);
  const member = `${day}-${time.slice(0, 4)}-gleif-goldencopy-${family}-${window}.${format}`;
  return { archive: `${member}.zip`, member };
}

/** For ISIN and OpenCorporates, the member's name has the words of the archive's name in reverse order. */
export function mappingName(mapping: MappingKind, published: number): FileName {
  const kind = mappingTable[mapping].file;
  const { day, time } = stamps(published);
  if (kind === 'isin' || kind === 'oc') {
    return { archive: `${kind}-lei-${day}T${time}.zip`, member: `lei-${kind}-${day}T${time}.csv` };
  }
  return { archive: `LEI-${kind.toUpperCase()}-${day}.zip`, member: `lei-${kind}-${day}T000000.csv` };
}

/** The ISO 10383 list is not compressed. */
export function micListName(published: number): string {
  return `ISO10383_MIC-${stamps(published).day}.csv`;
}
