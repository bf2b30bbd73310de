import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readQuery } from '../../src/http/address.ts';
import type { ParameterFault } from '../../src/http/problem-kinds.ts';
import type { Manifest } from '../../src/publication/manifest.ts';
import { parseAnswer, rawRequest, sendRaw } from '../support/raw-socket.ts';
import { company, firstId, manifest, startInMemory } from './app-in-memory.ts';

const service = startInMemory();
afterAll(() => service.stop());

interface Refused {
  readonly type: string;
  readonly detail: string;
  readonly errors: readonly ParameterFault[];
}

/** Sends the query string unchanged: an HTTP client would repair it. */
async function refused(path: string): Promise<Refused> {
  const asked = service.questions.length;
  const answer = await rawRequest(service.port, 'GET', path);
  expect([path, answer.status]).toEqual([path, 400]);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(service.questions).toHaveLength(asked);
  return JSON.parse(answer.body);
}

async function asked(path: string) {
  const answer = await rawRequest(service.port, 'GET', path);
  expect([path, answer.status]).toEqual([path, 200]);
  return { question: service.questions.at(-1), links: JSON.parse(answer.body).links };
}

describe('query parameters', () => {
  test('that are unknown are refused by name, with a list of the allowed ones', async () => {
    expect(await refused('/api/v1/search?q=bank&contry=DE')).toMatchObject({
      type: `${service.baseUrl}/problems/invalid-parameter`,
      errors: [
        {
          parameter: 'contry',
          detail: 'is not a parameter of this endpoint; its parameters are q, country, status, cursor, limit',
        },
      ],
    });
    expect(await refused(`${company.path}?limit=5`)).toMatchObject({
      errors: [{ parameter: 'limit', detail: 'is not a parameter of this endpoint, which takes none' }],
    });
  });

  test('are case-sensitive in their names', async () => {
    expect((await refused('/api/v1/search?Q=bank')).errors.map(({ parameter }) => parameter)).toEqual([
      'Q',
      'q',
    ]);
  });

  test('that are repeated, empty or without a value are refused', async () => {
    expect((await refused('/api/v1/search?q=bank&q=bank')).errors).toEqual([
      { parameter: 'q', detail: 'must be given only once' },
    ]);
    expect((await refused('/api/v1/search?q=bank&country=')).errors).toEqual([
      { parameter: 'country', detail: 'must not be empty' },
    ]);
    expect((await refused('/api/v1/search?q=bank&limit')).errors).toEqual([
      { parameter: 'limit', detail: 'must not be empty' },
    ]);
    expect((await refused('/api/v1/search?q=bank&cursor=')).errors).toEqual([
      { parameter: 'cursor', detail: 'must not be empty' },
    ]);
  });

  test('with a broken encoding or control characters are refused', async () => {
    const cases = [
      ['%', 'must be percent-encoded UTF-8'],
      ['%zz', 'must be percent-encoded UTF-8'],
      ['a%E0%A4%A', 'must be percent-encoded UTF-8'],
      ['ab%ff', 'must be percent-encoded UTF-8'],
      ['ab%C0%AF', 'must be percent-encoded UTF-8'],
      ['ab%ED%A0%80', 'must be percent-encoded UTF-8'],
      ['ab%00cd', 'must not contain control characters'],
      ['%00ab', 'must not contain control characters'],
      ['ab%08cd', 'must not contain control characters'],
      ['ab%1Ccd', 'must not contain control characters'],
      ['ab%7F', 'must not contain control characters'],
      ['ab%C2%84', 'must not contain control characters'],
      ['ab%EF%BF%BD', 'must be valid UTF-8, without U+FFFD'],
    ] as const;
    for (const [q, detail] of cases) {
      expect((await refused(`/api/v1/search?q=${q}`)).errors).toEqual([{ parameter: 'q', detail }]);
    }
  });

  test('with bytes that are not UTF-8 are refused', async () => {
    const target = Buffer.concat([
      Buffer.from('/api/v1/search?q=M'),
      Buffer.from([0xfc]),
      Buffer.from('nchen'),
    ]);
    const request = Buffer.concat([
      Buffer.from('GET '),
      target,
      Buffer.from(' HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    ]);
    expect(parseAnswer(await sendRaw(service.port, request)).status).toBe(400);
  });

  test('that are wrong get one entry each, and the detail names all of them', async () => {
    const { detail, errors } = await refused('/api/v1/search?country=DEU&limit=0&status=GOOD&x=1');
    expect(errors.map(({ parameter }) => parameter).sort()).toEqual(['country', 'limit', 'q', 'status', 'x']);
    for (const fault of errors) expect(detail).toContain(`${fault.parameter} ${fault.detail}`);
  });

  test('that are wrong are named with a country that only the publication can refuse', async () => {
    const wrong = async (country: string, known: Pick<Manifest, 'countries'>) => {
      service.scene.active = {
        manifest: { ...manifest(firstId), ...known },
        activatedAt: '2024-05-05T01:02:03Z',
      };
      const { errors } = await refused(`/api/v1/search?q=a&country=${country}&status=GOOD&limit=0`);
      return errors.map(({ parameter }) => parameter).sort();
    };
    const others = ['limit', 'q', 'status'];
    const known = { countries: ['GB', 'XK'] };
    expect(await wrong('qq', known)).toEqual(['country', ...others]);
    expect(await wrong('xk', known)).toEqual(others);
    expect(await wrong('de', known)).toEqual(others);
    // An earlier version made the publication.
    expect(await wrong('qq', {})).toEqual(others);
    service.scene.active = null;
    expect((await refused('/api/v1/search?q=a&country=QQ')).errors).toHaveLength(1);
  });

  test('in absurd numbers get an answer of bounded size', async () => {
    const many = Array.from({ length: 2000 }, (_, index) => `p${index}=`).join('&');
    const { errors } = await refused(`/api/v1/search?${many}`);
    expect(errors.length).toBeLessThan(60);
  });

  test('after any number of unknown ones are still read, and not reported as missing', async () => {
    const many = Array.from({ length: 60 }, (_, index) => `p${index}=1`).join('&');
    const named = async (query: string) =>
      (await refused(`/api/v1/search?${many}&${query}`)).errors.slice(50).map(({ parameter }) => parameter);
    expect(await named('q=bank&limit=5')).toEqual([]);
    expect(await named('q=bank&q=bank&limit=0')).toEqual(['q', 'limit']);
  });

  test('with the name of the identifier are treated like any other', async () => {
    for (const [path, parameter] of [
      [company.path, 'lei'],
      ['/api/v1/bic/DEUTDEFF', 'bic'],
    ] as const) {
      const detail = 'is not a parameter of this endpoint, which takes none';
      expect(await refused(`${path}?${parameter}=x`)).toMatchObject({
        type: `${service.baseUrl}/problems/invalid-parameter`,
        title: 'Invalid parameter',
        detail: `${parameter} ${detail}.`,
        errors: [{ parameter, detail }],
      });
    }
  });

  test('may be separated by stray ampersands', async () => {
    expect((await asked('/api/v1/search?&q=bank&&limit=5&')).question).toMatchObject({ q: 'bank', limit: 5 });
    expect((await asked(`${company.path}?`)).question).toEqual({ kind: 'company', lei: company.lei });
  });

  test('of any bytes give a value or a fault for each name, and never throw (property)', () => {
    const known = ['q', 'limit'];
    const piece = fc.constantFrom('q', 'limit', '=', '&', '%', '%41', '%00', '%ff', '+', 'é', '#', '?', ';');
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 4 }))), (pieces) => {
        const faults: ParameterFault[] = [];
        const values = readQuery(pieces.join(''), known, faults);
        for (const [name, value] of values) {
          expect(known).toContain(name);
          expect(value).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
          expect(value).not.toBe('');
          expect(faults.some(({ parameter }) => parameter === name)).toBe(false);
        }
      }),
    );
  });

  test('are decoded as they were encoded (property)', () => {
    const printable = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => !/\p{Cc}|\ufffd/u.test(text));
    fc.assert(
      fc.property(printable, (q) => {
        const faults: ParameterFault[] = [];
        expect(readQuery(String(new URLSearchParams({ q })), ['q'], faults).get('q')).toBe(q);
        expect(faults).toEqual([]);
      }),
    );
  });
});

describe('limit', () => {
  test('is decimal digits from 1 to 100', async () => {
    for (const limit of ['1', '20', '100', '007']) {
      expect((await asked(`/api/v1/search?q=bank&limit=${limit}`)).question).toMatchObject({
        limit: Number(limit),
      });
    }
    const wrong = [
      '0',
      '101',
      '-1',
      '+5',
      '%2B5',
      '1.0',
      '1e1',
      '0x10',
      '%205',
      '5%20',
      'ten',
      '٣',
      '99999999999999999999',
    ];
    for (const limit of wrong) {
      expect((await refused(`/api/v1/search?q=bank&limit=${limit}`)).errors).toEqual([
        { parameter: 'limit', detail: 'must be a whole number from 1 to 100' },
      ]);
    }
  });

  test('defaults to 20', async () => {
    expect((await asked(`${company.path}/changes`)).question).toMatchObject({ limit: 20 });
  });
});

describe('q', () => {
  test('is required', async () => {
    for (const path of ['/api/v1/search', '/api/v1/search?', '/api/v1/search?limit=5']) {
      expect((await refused(path)).errors).toEqual([
        { parameter: 'q', detail: 'is required: at least 2 characters of a company name' },
      ]);
    }
  });

  test('is trimmed, and then has 2 to 500 code points', async () => {
    expect((await asked('/api/v1/search?q=%20%20ab%20')).question).toMatchObject({ q: 'ab' });
    expect((await asked('/api/v1/search?q=%F0%A0%AE%B7%F0%A0%AE%B7')).question).toMatchObject({ q: '𠮷𠮷' });
    expect((await asked(`/api/v1/search?q=${'a'.repeat(500)}`)).question).toMatchObject({
      q: 'a'.repeat(500),
    });
    const detail = 'must have 2 to 500 characters, not counting spaces at its ends';
    for (const q of ['a', '%20a%20', '+', '%F0%A0%AE%B7', 'a'.repeat(501)]) {
      expect((await refused(`/api/v1/search?q=${q}`)).errors).toEqual([{ parameter: 'q', detail }]);
    }
  });

  test('has spaces for the tabs and line ends of copied spreadsheet cells; no other parameter may have them', async () => {
    const pasted = ['%09deutsche%20bank', 'deutsche%20bank%0D%0A', 'deutsche%09bank', 'deutsche%C2%85bank'];
    for (const q of [...pasted, 'deutsche%0Abank', 'deutsche%0Bbank', 'deutsche%0Cbank', 'deutsche%0Dbank']) {
      expect((await asked(`/api/v1/search?q=${q}`)).question).toMatchObject({ q: 'deutsche bank' });
    }
    for (const other of [
      'limit=5%0A',
      'country=D%0AE',
      'country=DE%0A',
      'status=ISSUED%0A',
      'cursor=abc%0A',
    ]) {
      await refused(`/api/v1/search?q=bank&${other}`);
    }
  });

  test('may be only a legal form; + and %20 mean a space', async () => {
    expect((await asked('/api/v1/search?q=gmbh')).question).toMatchObject({ q: 'gmbh' });
    expect((await asked('/api/v1/search?q=deutsche+bank')).question).toMatchObject({ q: 'deutsche bank' });
    expect((await asked('/api/v1/search?q=deutsche%20bank')).question).toMatchObject({ q: 'deutsche bank' });
    expect((await asked('/api/v1/search?q=a%2Bb')).question).toMatchObject({ q: 'a+b' });
  });

  test('may arrive unencoded, as curl sends it', async () => {
    expect((await asked('/api/v1/search?q=münchen')).question).toMatchObject({ q: 'münchen' });
  });
});

describe('country and status', () => {
  test('are accepted in upper and lower case', async () => {
    expect((await asked('/api/v1/search?q=bank&country=de&status=issued')).question).toMatchObject({
      country: 'DE',
      status: 'ISSUED',
    });
  });

  test('are refused if a letter becomes an ASCII letter only by upper-casing', async () => {
    for (const status of ['%C4%B1ssued', 'i%C5%BF%C5%BFued'])
      await refused(`/api/v1/search?q=bank&status=${status}`);
    await refused('/api/v1/search?q=bank&country=%C4%B1t');
  });

  test('are refused with a list of the allowed values', async () => {
    for (const country of ['D', 'DEU', 'D1', '%C3%9F', 'D%20']) {
      const { errors } = await refused(`/api/v1/search?q=bank&country=${country}`);
      expect(errors[0]?.detail).toContain('exactly 2 characters');
    }
    const { errors } = await refused('/api/v1/search?q=bank&status=active');
    expect(errors[0]?.detail).toContain('ISSUED');
    expect(errors[0]?.detail).toContain('LAPSED');
  });

  test('get 400 too if only the publication can refuse them', async () => {
    service.scene.answer = () => ({ outcome: 'invalid', parameter: 'country', detail: 'must be a country' });
    const answer = await rawRequest(service.port, 'GET', '/api/v1/search?q=bank&country=QQ');
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({
      type: `${service.baseUrl}/problems/invalid-parameter`,
      detail: 'country must be a country.',
      errors: [{ parameter: 'country', detail: 'must be a country' }],
    });
  });
});
