/**
 * Measures lists in one thread, without HTTP: the engine over columns alone, and whole answers. It also tells the longest
 * step, which is how long a look-up may have to wait behind a list.
 *
 *     bun test/bench/list.ts --data FOLDER
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { reasonOf } from '../../src/errors.ts';
import type { Company } from '../../src/lei/company.ts';
import type { TimeField, ValueField } from '../../src/lei/list-fields.ts';
import type { GleifAsk, GleifFilter } from '../../src/protocol/gleif-questions.ts';
import type { FieldCondition, ListOrder } from '../../src/protocol/list-questions.ts';
import type { TextQuestion } from '../../src/protocol/questions.ts';
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { beginAnswer } from '../../src/query/answer-question.ts';
import type { ColumnsQuery } from '../../src/store/columns/list-query.ts';
import { openPublication } from '../../src/store/open-publication.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import type { Steps } from '../../src/store/steps.ts';
import { positive } from './harness/arguments.ts';
import { describeMachine } from './harness/machine.ts';
import { createRandom, type Random } from './search/random.ts';

const usage = `Usage: bun test/bench/list.ts --data <folder> [options]

  --data <folder>   the data folder whose active publication is asked
  --count <n>       lists of each kind (default 200)
  --seed <n>        which companies their values are taken from (default 1)`;

function settings() {
  try {
    const { values } = parseArgs({
      options: {
        data: { type: 'string' },
        count: { type: 'string', default: '200' },
        seed: { type: 'string', default: '1' },
      },
    });
    if (values.data === undefined) throw new Error('--data must name a data folder.');
    const [count, seed] = [positive('count', values.count), positive('seed', values.seed)];
    return { data: values.data, count, seed };
  } catch (error) {
    console.error(`${reasonOf(error)}\n\n${usage}`);
    process.exit(2);
  }
}

/** Milliseconds of a list. */
interface Cost {
  readonly all: number;
  readonly longestStep: number;
}

function cost<Result>(steps: Steps<Result>): Cost {
  const begun = performance.now();
  let before = begun;
  let longestStep = 0;
  for (let done: boolean | undefined = false; done !== true; ) {
    ({ done } = steps.next());
    const now = performance.now();
    longestStep = Math.max(longestStep, now - before);
    before = now;
  }
  return { all: before - begun, longestStep };
}

const figure = (ms: number | undefined) => (ms ?? Number.NaN).toFixed(2).padStart(9);

function tell(title: string, costs: readonly Cost[]): void {
  const of = (part: (cost: Cost) => number) => costs.map(part).sort((a, b) => a - b);
  const [all, steps] = [of((cost) => cost.all), of((cost) => cost.longestStep)];
  const at = (sorted: readonly number[], share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  console.log(
    `${title.padEnd(58)}${[at(all, 0.5), at(all, 0.99), all.at(-1), steps.at(-1)].map(figure).join('')}`,
  );
}

const valueIn: Readonly<Partial<Record<ValueField, (company: Company) => string | null>>> = {
  country: ({ entity }) => entity.legalAddress.country,
  jurisdiction: ({ entity }) => entity.jurisdiction,
  entityStatus: ({ entity }) => entity.status,
  registrationStatus: ({ registration }) => registration.status,
  category: ({ entity }) => entity.category,
  legalForm: ({ entity }) => entity.legalForm.id,
  managingLou: ({ registration }) => registration.managingLou,
  registeredAt: ({ entity }) => entity.registeredAt.id,
};
const valueFields = Object.keys(valueIn).filter((name): name is ValueField => name in valueIn);

const { data, count, seed } = settings();
const pointer = readPointer(layout(data));
if (pointer === null) throw new Error(`${data} has no active publication.`);
const publication = await openPublication(layout(data), pointer.id);

function companyAt(random: Random): Company {
  for (;;) {
    const company = publication.company(1 + random.whole(publication.lastEntity));
    if (company !== null) return JSON.parse(Buffer.from(company.json).toString());
  }
}

/** A value of a random company, so that frequent values come often. */
function condition(random: Random, field: ValueField): FieldCondition {
  for (;;) {
    const value = valueIn[field]?.(companyAt(random)) ?? null;
    if (value !== null) return { is: 'value', field, values: [value], isExcluded: false };
  }
}

function range(random: Random, field: TimeField): FieldCondition {
  const from = Date.UTC(2013 + random.whole(12), random.whole(12), 1) / 1000;
  return { is: 'time', field, from, to: from + 86_400 * (30 + random.whole(700)) };
}

const orders: readonly ListOrder['field'][] = ['updated', 'name', 'country', 'renewal', 'created'];

/** Conditions on four values and a range, all of which some company meets. */
function fiveConditions(random: Random): Pick<ColumnsQuery, 'conditions' | 'order'> {
  const company = companyAt(random);
  const fields: readonly ValueField[] = ['country', 'entityStatus', 'registrationStatus', 'category'];
  const conditions = fields.flatMap((field): readonly FieldCondition[] => {
    const value = valueIn[field]?.(company) ?? null;
    return value === null ? [] : [{ is: 'value', field, values: [value], isExcluded: false }];
  });
  const order = [{ field: random.of(orders), isDescending: random.whole(2) === 0 }];
  return { conditions: [...conditions, range(random, 'updated')], order };
}

function list(query: Partial<ColumnsQuery>): Cost {
  const all = { conditions: [], first: null, order: [], skip: 0, limit: 20, ...query };
  return cost(publication.lists.list(all));
}

function* answered(of: PublicationReader, question: TextQuestion): Steps<void> {
  const begun = beginAnswer(of, question);
  const answer = 'outcome' in begun ? begun : yield* begun;
  if (answer.outcome !== 'found')
    throw new Error(`${JSON.stringify(question)} was not answered: ${answer.outcome}.`);
}

const base = 'http://127.0.0.1:3000/gleif/api/v1';
function records(filters: readonly GleifFilter[], size: number, number = 1): Cost {
  const page = { number, size, cursor: null, path: '/lei-records', query: '' };
  const shape = { fields: null, include: [] };
  const asks: GleifAsk = { for: 'records', filters, sort: [], page, shape };
  return cost(answered(publication, { kind: 'gleif', base, asks }));
}

function text(field: string, words: string): GleifFilter {
  return { is: 'text', field, text: words, isExcluded: false };
}

/** Some words of a text, the longest ones. */
function words(from: string | null | undefined, most: number): string {
  const all = (from ?? '').split(/[^\p{L}\p{N}]+/u).sort((a, b) => b.length - a.length);
  return all.slice(0, most).join(' ');
}

function times<Value>(make: (random: Random) => Value): Value[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => make(random));
}

const machine = describeMachine().rows.map(([, value]) => value);
console.log(
  `${machine.join(', ')}\n${publication.lastEntity} entities, ${count} lists of each kind, seed ${seed}`,
);
console.log(`${''.padEnd(58)}   median      p99      max  longest step  (milliseconds)`);

/** A service brings the file into memory when it opens a publication. */
const chunk = Buffer.alloc(1 << 20);
const file = openSync(layout(data).companies(pointer.id), 'r');
while (readSync(file, chunk, 0, chunk.length, null) > 0);
closeSync(file);

const one = (random: Random) => ({ conditions: [condition(random, random.of(valueFields))] });
tell('engine: the first list', [list({})]);
tell(
  'engine: no condition',
  times(() => list({})),
);
tell(
  'engine: one condition',
  times((random) => list(one(random))),
);
tell(
  'engine: one condition, 5,000th page of 20',
  times((random) => list({ ...one(random), skip: 99_980 })),
);
const frequent: readonly FieldCondition[] = [
  { is: 'value', field: 'registrationStatus', values: ['ISSUED'], isExcluded: false },
];
tell(
  'engine: ISSUED, first page',
  times(() => list({ conditions: frequent })),
);
tell(
  'engine: ISSUED, 5,000th page',
  times(() => list({ conditions: frequent, skip: 99_980 })),
);
tell(
  'engine: ISSUED by name, first page',
  times(() => list({ conditions: frequent, order: [{ field: 'name', isDescending: false }] })),
);
tell(
  'engine: ISSUED by name, 5,000th page',
  times(() => list({ conditions: frequent, skip: 99_980, order: [{ field: 'name', isDescending: false }] })),
);
tell(
  'engine: five conditions with a range, sorted',
  times((random) => list(fiveConditions(random))),
);
tell(
  'engine: a city',
  times((random) =>
    list({
      conditions: [
        {
          is: 'text',
          field: 'city',
          values: [companyAt(random).entity.legalAddress.city ?? 'London'],
          isExcluded: false,
        },
      ],
    }),
  ),
);
tell(
  'engine: a number in a register',
  times((random) =>
    list({
      conditions: [
        {
          is: 'text',
          field: 'registeredAs',
          values: [companyAt(random).entity.registeredAs ?? '1'],
          isExcluded: false,
        },
      ],
    }),
  ),
);
tell(
  'facade: 200 records, no filter',
  times(() => records([], 200)),
);
tell(
  'facade: 200 records, 5,000th page',
  times(() => records([], 200, 5_000)),
);
tell(
  'facade: 200 records of a country',
  times((random) =>
    records(
      [
        {
          is: 'values',
          field: 'entity.legalAddress.country',
          values: [companyAt(random).entity.legalAddress.country ?? 'DE'],
          isExcluded: false,
        },
      ],
      200,
    ),
  ),
);
tell(
  'facade: fulltext, name and city',
  times((random) => {
    const { entity } = companyAt(random);
    return records(
      [text('fulltext', `${words(entity.legalName.name, 1)} ${words(entity.legalAddress.city, 1)}`)],
      15,
    );
  }),
);
tell(
  'facade: fulltext, one word of an address',
  times((random) =>
    records(
      [text('fulltext', words(companyAt(random).entity.legalAddress.addressLines[0], 1) || 'street')],
      15,
    ),
  ),
);
tell(
  'facade: entity.addresses, two words',
  times((random) =>
    records(
      [text('entity.addresses', words(companyAt(random).entity.legalAddress.addressLines[0], 2) || 'street')],
      15,
    ),
  ),
);
tell(
  'facade: entity.registeredAs',
  times((random) => records([text('entity.registeredAs', companyAt(random).entity.registeredAs ?? '1')], 15)),
);
tell(
  'facade: entity.legalName',
  times((random) =>
    records([text('entity.legalName', words(companyAt(random).entity.legalName.name, 2))], 15),
  ),
);
await publication.close();
