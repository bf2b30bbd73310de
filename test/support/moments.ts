/** Writes two states of a tiny data set: one company added, one changed, one gone. */
import { company, lei, publish, relationship } from '../loader/publishing.ts';
import { temporaryFolder } from './folders.ts';

/** The name of each company at both moments; null if the company is missing. */
export const companies = {
  unchanged: { lei: lei(1), names: ['Unchanged Holding Limited', 'Unchanged Holding Limited'] },
  changed: { lei: lei(2), names: ['Before The Change Limited', 'After The Change Limited'] },
  gone: { lei: lei(3), names: ['Gone Tomorrow Limited', null] },
  added: { lei: lei(4), names: [null, 'Added Today Limited'] },
} as const;

const first = ['2026-10-01T16:00:00Z', '2026-10-02T16:00:00Z'] as const;

/** Writes the files of a moment into a temporary folder and returns their paths. */
export function momentFiles(moment: 0 | 1): string[] {
  const folder = temporaryFolder('moment');
  const present = Object.values(companies).flatMap(({ names }, index) => {
    const name = names[moment];
    return name === null ? [] : [company(index + 1, { name, updated: first[moment] })];
  });
  // Enough companies with a common word for several pages, which a client reads across a swap.
  const others = Array.from({ length: 40 }, (_, index) =>
    company(100 + index, { name: `Traversal ${'AB'[moment]} ${index} Limited`, updated: first[moment] }),
  );
  return publish(folder, {
    at: first[moment],
    companies: [...present, ...others],
    relationships: { kept: [relationship(2, 1), relationship(1, 1)] },
  });
}
