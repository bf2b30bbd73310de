import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import { termRulesVersion } from '../../../../src/lei/names/name-terms.ts';
import { type Environment, openForBuilding, syncAndClose } from '../../../../src/lmdb.ts';
import { openStoredTables, storedShape } from '../../../../src/store/search/format.ts';
import { openSearchReader } from '../../../../src/store/search/open-search.ts';
import type { CompanyFacts } from '../../../../src/store/search/search-reader.ts';
import { withoutTimeLimit } from '../../../../src/store/search/time-limit.ts';
import { type UpdateOutcome, updateIndex } from '../../../../src/store/search/update/update-index.ts';
import { temporaryFolder } from '../../../support/folders.ts';
import { createIndexing } from '../../../support/index-companies.ts';
import { runs } from '../../../support/runs.ts';
import { company } from '../small-index.ts';

/** Random draws from a seed. */
type Draw = (below: number) => number;

function drawing(seed: number): Draw {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const common = ['holding', 'bank', 'trading', 'nord', 'capital', 'the', 'und', 'gruppe', 'energie'];
const forms = ['GmbH', 'Limited', 'S.A.', 'AG', ''];
const statuses = ['ISSUED', 'ISSUED', 'ISSUED', 'LAPSED', 'RETIRED', 'DUPLICATE', 'ANNULLED'];

/** Few syllables make many words that are similar to each other. */
function word(draw: Draw): string {
  const syllables = ['ka', 'lo', 'mi', 'ter', 'van', 'so', 'ri', 'ben'];
  return Array.from({ length: 2 + draw(3) }, () => syllables[draw(syllables.length)]).join('');
}

function name(draw: Draw): string {
  const words = Array.from({ length: 1 + draw(3) }, () =>
    draw(3) === 0 ? (common[draw(common.length)] ?? '') : word(draw),
  );
  return [...words, forms[draw(forms.length)]].join(' ').trim();
}

function someCompany(entity: number, draw: Draw): CompanyFacts {
  const more = draw(4) === 0 ? [[name(draw), 'PREVIOUS_LEGAL_NAME'] as const] : [];
  return company({
    entity,
    // Neither in the order of entities nor in that of arrival.
    lei: `TEST${String((entity * 7_919) % 100_003).padStart(14, '0')}00`,
    names: [name(draw), ...more],
    country: ['DE', 'GB', 'FR', null][draw(4)] ?? null,
    registrationStatus: statuses[draw(statuses.length)] ?? null,
    registeredAs: draw(2) === 0 ? `HRB ${draw(400)}` : null,
    directChildren: draw(12) === 0 ? draw(120) : 0,
    bics: draw(9) === 0 ? [`BANK${['DE', 'GB'][draw(2)]}${10 + draw(80)}XXX`] : [],
  });
}

function build(companies: Iterable<CompanyFacts>): Environment {
  const environment = openForBuilding(join(temporaryFolder('index'), 'index'));
  const indexing = createIndexing();
  for (const each of companies) indexing.add(each);
  indexing.finish(environment);
  return environment;
}

/** Some companies that change and some new ones. */
function nextDay(known: Map<number, CompanyFacts>, changes: number, draw: Draw) {
  const touched = new Map<number, CompanyFacts>();
  for (let i = 0; i < changes; i++) {
    const entity = draw(6) === 0 ? known.size + touched.size + 1 : 1 + draw(known.size);
    const before = known.get(entity);
    const fresh = someCompany(entity, draw);
    // Mostly only the status changes.
    const kept = before !== undefined && draw(3) > 0;
    touched.set(entity, kept ? { ...before, registrationStatus: fresh.registrationStatus } : fresh);
  }
  return touched;
}

function apply(
  environment: Environment,
  known: Map<number, CompanyFacts>,
  touched: ReadonlyMap<number, CompanyFacts>,
): UpdateOutcome {
  const factsOf = (entity: number) => {
    const facts = touched.get(entity) ?? known.get(entity);
    if (facts === undefined) throw new Error(`Nobody knows company ${entity}.`);
    return facts;
  };
  const changes = Array.from(touched, ([entity, after]) => ({ before: known.get(entity) ?? null, after }));
  const outcome = updateIndex(environment, { changes, factsOf, leiOf: (entity) => factsOf(entity).lei });
  for (const [entity, facts] of touched) known.set(entity, facts);
  return outcome;
}

/** Of each publication. */
const companiesAsked = runs(10);

function questions(companies: readonly CompanyFacts[], draw: Draw): string[] {
  const asked = ['gmbh', 'ka', 'lo', 'bank', 'the bank', 'holding limited', 'zzyzx'];
  for (let i = 0; i < companiesAsked; i++) {
    const one = companies[draw(companies.length)];
    const text = one?.names[draw(one.names.length)]?.name ?? '';
    const at = draw(text.length);
    asked.push(text, text.slice(0, at + 2), text.slice(0, at) + text.slice(at + 1));
    asked.push(`${text} ${word(draw)}`, one?.lei ?? '', one?.registeredAs ?? 'x1', one?.bics[0] ?? 'BANKDE');
    asked.push(text.replaceAll(' ', ''), word(draw), `${word(draw)} ${common[draw(common.length)]}`);
  }
  return asked.filter((q) => q.length > 1);
}

/** Everything that a caller sees of the first hits, and of some far down. */
function answers(environment: Environment, companies: readonly CompanyFacts[], seed: number): unknown[] {
  const leis = new Map(companies.map(({ entity, lei }) => [entity, lei]));
  const reader = openSearchReader(environment, (entity) => leis.get(entity) ?? '', withoutTimeLimit());
  const draw = drawing(seed);
  return questions(companies, draw).flatMap((q) => {
    const filters = [
      { country: null, status: null },
      { country: 'DE', status: null },
      { country: null, status: 'LAPSED' },
    ];
    return filters.map((filter) => {
      const first = reader.search({ q, ...filter, after: null, limit: 40 });
      const deep = reader.search({ q, ...filter, after: '700', limit: 40 });
      return { q, ...filter, first, deep };
    });
  });
}

async function expectLikeFresh(changed: Environment, companies: readonly CompanyFacts[], seed: number) {
  const fresh = build(companies);
  try {
    expect(answers(changed, companies, seed)).toEqual(answers(fresh, companies, seed));
  } finally {
    await syncAndClose(fresh);
  }
}

describe('a changed index', () => {
  test('answers like one built from the same companies, after fifty deltas', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const draw = drawing(seed);
        const known = new Map(
          Array.from({ length: 300 }, (_, i) => [i + 1, someCompany(i + 1, draw)] as const),
        );
        const environment = build(known.values());
        for (let day = 0; day < 50; day++) {
          expect(apply(environment, known, nextDay(known, 1 + draw(12), draw))).toEqual({
            companies: known.size,
          });
          if (day % 25 === 24) await expectLikeFresh(environment, [...known.values()], seed + day);
        }
        await syncAndClose(environment);
      }),
      { numRuns: runs(1) },
    );
  });

  test('answers like one built from the same companies if words have thousands of them', async () => {
    const draw = drawing(7);
    const known = new Map(
      Array.from({ length: 9_000 }, (_, i) => [i + 1, someCompany(i + 1, draw)] as const),
    );
    const environment = build(known.values());
    for (let day = 0; day < 5; day++) apply(environment, known, nextDay(known, 150, draw));
    await expectLikeFresh(environment, [...known.values()], 1);
    await syncAndClose(environment);
  });

  test('is not changed if other rules made its terms: it must be built anew', async () => {
    const draw = drawing(5);
    const known = new Map(Array.from({ length: 30 }, (_, i) => [i + 1, someCompany(i + 1, draw)] as const));
    const environment = build(known.values());
    const tables = openStoredTables(environment);
    const older = { ...storedShape(tables), termRules: termRulesVersion - 1 };
    tables.meta.putSync('shape', JSON.stringify(older));
    expect(apply(environment, known, nextDay(known, 3, draw))).toEqual({
      due: 'another version of this program built it',
    });
    await syncAndClose(environment);
  });
});
