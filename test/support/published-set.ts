/** Makes a test publisher offer generated sets, with answers like those of GLEIF's services. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GeneratedFile } from '../../src/generate/write-plan.ts';
import { fileEntry, mappingAnswer, type Publisher, publishAnswer } from './publisher.ts';

export interface GeneratedSet {
  readonly folder: string;
  readonly files: readonly GeneratedFile[];
}

export interface Offer {
  /** As the publishing service writes it: `2026-10-04 16:00:00`. */
  readonly publishDate: string;
  readonly full: GeneratedSet;
  /** The delta of a generated day, GLEIF's LastDay. */
  readonly lastDay?: GeneratedSet;
  /** Changes the description of a file. */
  readonly entry?: (name: string, entry: ReturnType<typeof fileEntry>) => object;
}

/** Settings that make `lei update` ask a test publisher. */
export function updateEnvironment(publisher: Publisher): Record<string, string> {
  return {
    LEI_GOLDEN_COPY_URL: `${publisher.url}/publishes`,
    LEI_MAPPING_URL: `${publisher.url}/v2`,
    LEI_MIC_LIST_URL: `${publisher.url}/ISO10383_MIC.csv`,
  };
}

/** Makes a publisher offer a set: golden copy, delta, mapping files and the list of markets. */
export function offer(publisher: Publisher, offered: Offer): void {
  const entryOf = (set: GeneratedSet, family: string) => {
    const file = set.files.find(({ name }) => name.includes(`goldencopy-${family}-`));
    if (file === undefined) throw new Error(`The generated set has no ${family} file.`);
    const path = `/storage/${file.name}`;
    publisher.serve(path, { body: readFileSync(join(set.folder, file.name)), etag: `"${file.bytes}"` });
    const entry = fileEntry(`${publisher.url}${path}`, file.bytes, file.rows);
    return offered.entry?.(file.name, entry) ?? entry;
  };
  const family = (name: string) => ({
    full_file: { xml: entryOf(offered.full, name) },
    delta_files: offered.lastDay === undefined ? {} : { LastDay: { xml: entryOf(offered.lastDay, name) } },
  });
  publisher.serve('/publishes/latest', {
    body: publishAnswer(offered.publishDate, {
      lei2: family('lei2'),
      rr: family('rr'),
      repex: family('repex'),
    }),
  });
  offerMappings(publisher, offered.full);
}

function offerMappings(publisher: Publisher, { folder, files }: GeneratedSet): void {
  for (const { name } of files) {
    const body = readFileSync(join(folder, name));
    const kind = /^(isin|oc)-lei-|^LEI-(BIC|MIC|GEM|QCC)-/.exec(name);
    if (kind !== null) {
      const path = `/v2/${(kind[1] ?? kind[2] ?? '').toLowerCase()}-lei`;
      publisher.serve(`${path}/latest`, { body: mappingAnswer(name, `${path}/0b7e2b7e/download`) });
      publisher.serve(`${path}/0b7e2b7e/download`, { body, type: 'application/zip' });
    } else if (name.startsWith('ISO10383')) {
      publisher.serve('/ISO10383_MIC.csv', { body, lastModified: 'Sun, 04 Oct 2026 00:00:00 GMT' });
    }
  }
}
