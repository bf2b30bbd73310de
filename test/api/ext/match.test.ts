/** Tests matchCompany over the bundled sample: which company it finds, and how certain that is. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type DescribedService, startDescribed } from './described.ts';

const bank = '7LTWFZYICNSX8D621K86';

let described: DescribedService;
beforeAll(async () => {
  described = await startDescribed();
});
afterAll(() => described.service.stop());

interface Answer {
  readonly verdict: string;
  readonly candidates: readonly {
    readonly lei: string;
    readonly score: number;
    readonly features: Readonly<Record<string, number | null>>;
  }[];
}

/** The status, and the data of a 200. */
async function match(question: Readonly<Record<string, string>>) {
  const { status, body } = await described.ask(`/ext/v1/match?${new URLSearchParams(question)}`);
  const data: Answer = body.data ?? { verdict: '', candidates: [] };
  return { status, ...data, first: data.candidates[0], errors: body.errors };
}

/** A company with a registration number, and its own record. */
const registered = '213800E5Z6QRDSMZMK84';
async function record() {
  const { data } = JSON.parse(await (await described.service.fetch(`/api/v1/lei/${registered}`)).text());
  return data;
}

describe('a match', () => {
  test('finds a name that is mistyped, abbreviated or without its legal form', async () => {
    for (const name of [
      'deutsche bnak ag',
      'DT BANK AG',
      'Bank Deutsche Aktiengesellschaft',
      'DeutscheBank AG',
    ]) {
      const { verdict, first } = await match({ name, country: 'de' });
      expect([name, verdict, first?.lei]).toEqual([name, 'match', bank]);
    }
  });

  test('finds a registration number alone, and an LEI alone', async () => {
    const { entity } = await record();
    const number = `${entity.registeredAt.id} ${entity.registeredAs}`;
    for (const question of [{ registrationNumber: number }, { lei: registered.toLowerCase() }]) {
      const { verdict, first } = await match(question);
      expect([verdict, first?.lei]).toEqual(['match', registered]);
    }
    const elsewhere = await match({ registrationNumber: `RA000999 ${entity.registeredAs}` });
    expect(elsewhere.verdict).not.toBe('match');
  });

  test('gets a higher score if city and registration number agree, and a lower one if they do not', async () => {
    const { entity } = await record();
    const name = entity.legalName.name.slice(0, 5);
    const scoreWith = async (more: Readonly<Record<string, string>>) =>
      (await match({ name, ...more })).candidates.find(({ lei }) => lei === registered)?.score ?? 0;
    const alone = await scoreWith({});
    expect(await scoreWith({ city: entity.legalAddress.city })).toBeGreaterThan(alone);
    expect(await scoreWith({ registrationNumber: entity.registeredAs })).toBeGreaterThan(alone);
    expect(await scoreWith({ city: 'Reykjavik' })).toBeLessThan(alone);
    expect(await scoreWith({ country: 'JP' })).toBeLessThan(alone);
    expect(await scoreWith({ registrationNumber: '99999999' })).toBeLessThan(alone);
  });

  test('reports how each part of the question compares', async () => {
    const { first } = await match({ name: 'Deutsche Bank GmbH', country: 'DE', city: 'Frankfurt am Main' });
    expect(first).toMatchObject({
      lei: bank,
      features: { name: 1, legalForm: 0, country: 1, city: 1, registrationNumber: null },
    });
  });
});

test('of an LEI with the name of another company is ambiguous', async () => {
  const { verdict, first } = await match({ lei: bank, name: 'Kohlenhandel Zwickau' });
  expect([verdict, first?.lei]).toEqual(['ambiguous', bank]);
});

test('of a name that no company has finds none', async () => {
  for (const name of ['Xqzvwk Pfrtsch', '!!!', 'GmbH']) {
    expect([name, (await match({ name })).verdict]).toEqual([name, 'none']);
  }
});

test('without name, registration number and LEI is refused, as is a malformed one', async () => {
  expect(await match({ country: 'DE', city: 'Berlin' })).toMatchObject({
    status: 400,
    errors: [{ parameter: 'name', detail: 'is required, or registrationNumber or lei' }],
  });
  for (const [parameter, value] of [
    ['name', 'x'],
    ['lei', 'ABC'],
    ['registrationNumber', 'ab'],
    ['city', ' '],
    ['country', 'Atlantis'],
    ['country', 'QQ'],
  ] as const) {
    const { status, errors } = await match({ name: 'Deutsche Bank', [parameter]: value });
    expect([parameter, status, errors[0].parameter]).toEqual([parameter, 400, parameter]);
  }
});
