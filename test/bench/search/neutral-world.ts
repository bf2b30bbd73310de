/**
 * Companies whose LEIs, statuses and children are dealt at random, with the shares of GLEIF's data: what decides between
 * equal scores then favours none. Real names are among synthetic ones and among sisters: names that differ from a real
 * one by a word or by the legal form.
 */
import type { LinkedCompany } from '../../support/index-companies.ts';
import { synthesize } from './haystack.ts';
import { createRandom, type Random } from './random.ts';

const sistersMean = 0.5;
const forms = [
  'Limited',
  'Ltd.',
  'LLC',
  'GmbH',
  'S.A.',
  'B.V.',
  'AB',
  'Pty Ltd',
  'Private Limited',
  'S.r.l.',
  '',
];
const additions = ['Holdings', 'Group', 'International', 'Trading', 'II', 'Capital', 'Partners', 'Services'];

/** @param real in the order of their entity numbers, which begin with 1 */
export function* neutralWorld(
  real: readonly LinkedCompany[],
  count: number,
  seed: number,
): Generator<LinkedCompany> {
  const random = createRandom(seed);
  let entity = 0;
  for (const company of real) yield dealt({ ...company, entity: ++entity }, random, false);
  for (const company of real) {
    while (random.number() < sistersMean / (1 + sistersMean) && entity < count) {
      const name = sisterOf(company.names[0]?.name ?? '', random);
      yield dealt({ ...company, entity: ++entity, names: [{ name, type: 'LEGAL_NAME' }] }, random, true);
    }
  }
  for (const company of synthesize(real, [], Math.max(0, count - entity), seed)) {
    yield dealt({ ...company, entity: ++entity }, random, true);
  }
}

function sisterOf(name: string, random: Random): string {
  const words = name.split(/\s+/);
  const at = random.whole(words.length);
  const choice = random.number();
  if (choice < 0.4 && words.length > 1) words.splice(words.length - 1, 1, random.of(forms));
  else if (choice < 0.75) words.splice(Math.max(1, at), 0, random.of(additions));
  else if (words.length > 2) words.splice(at, 1, random.of(additions));
  else words.push(random.of(forms));
  return words.join(' ').trim();
}

function dealt(company: LinkedCompany, random: Random, maybeDuplicate: boolean): LinkedCompany {
  const lei = Array.from({ length: 20 }, () => random.whole(36).toString(36).toUpperCase()).join('');
  const dice = random.number();
  const registrationStatus =
    dice < 0.005 && maybeDuplicate
      ? 'DUPLICATE'
      : dice < 0.57
        ? 'ISSUED'
        : dice < 0.92
          ? 'LAPSED'
          : 'RETIRED';
  const entityStatus = registrationStatus === 'RETIRED' ? 'INACTIVE' : 'ACTIVE';
  const directChildren = random.number() < 0.04 ? 1 + random.whole(30) : 0;
  return { ...company, lei, registrationStatus, entityStatus, directChildren, registeredAs: null };
}
