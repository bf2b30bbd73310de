/** Tests the page that matches a list of names. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { DataOf } from '../../../src/site/definition.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const allianz = '529900K9B0N5BT694847';

const send = (fields: Record<string, string>, init: BunFetchRequestInit = {}, to = service) =>
  to.fetch('/match', { method: 'POST', body: new URLSearchParams(fields), ...init });
const pageOf = async (names: string) => (await send({ names })).text();
const plain = (page: string) => page.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');
const rowsOf = async (names: string) => {
  const text = await (await send({ names, as: 'csv' })).text();
  return text.trimEnd().split('\r\n');
};

describe('a list of names', () => {
  test('is answered with candidates, their scores and reasons, line by line', async () => {
    const page = plain(await pageOf('Allianz SE; Germany; München\r\n\r\nNobody Knows This Company Ltd\r\n'));
    expect(page).toContain('2 names: 1 match, 1 without a match.');
    expect(page).toMatch(/Allianz SE München, Germany Match Allianz SE (?:9\d|100) %/);
    expect(page).toContain('same name · same legal form · same country · same city');
    expect(page).toContain(`Germany · ${allianz}`);
    expect(page.lastIndexOf('Nobody Knows')).toBeGreaterThan(page.indexOf(allianz));
  });

  test('is answered as /ext/v1/match answers each name', async () => {
    const api = await service.fetch('/ext/v1/match?name=bank+of+jordan&country=Jordan');
    const { data }: { data: DataOf['match'] } = JSON.parse(await api.text());
    const [, ...rows] = await rowsOf('bank of jordan\tJordan');
    expect(rows.map((row) => row.split(',')[6])).toEqual(data.candidates.map(({ lei }) => lei));
    expect(rows.map((row) => Number(row.split(',')[9]))).toEqual(data.candidates.map(({ score }) => score));
    expect(rows[0]).toStartWith(`1,bank of jordan,Jordan,,${data.verdict},1,`);
  });

  test('may hold LEIs, and cells of a spreadsheet', async () => {
    const [header = '', first = '', second = ''] = await rowsOf(`${allianz}\nALLIANZ AFRICA\tFR\t\t\n`);
    expect(header).toBe(
      'line,name,country,city,verdict,candidate,lei,matched_name,matched_country,score,name_alike,legal_form_alike,country_alike,city_alike,note',
    );
    expect(first).toStartWith(`1,${allianz},,,match,1,${allianz},Allianz SE,DE,`);
    expect(second).toStartWith('2,ALLIANZ AFRICA,FR,,match,1,9695009HV2986MDEQ760,ALLIANZ AFRICA,FR,');
  });

  test('may have quoted cells, with semicolons, quotes and line breaks in them, as in CSV', async () => {
    const names = [
      '"Zzyx; Vvkq GmbH";DE',
      '"The ""Zzyx"" Company"; "France" ;Lyon',
      '"Zzyx\r\nVvkq GmbH"\tDE',
      '"Zzyx" GmbH;DE',
      'Zzyx "Vvkq"',
      '"Zzyx GmbH;DE',
    ];
    const [, ...rows] = await rowsOf(names.join('\r\n'));
    expect(rows.map((row) => row.slice(0, row.indexOf(',none')))).toEqual([
      '1,Zzyx; Vvkq GmbH,DE,',
      '2,"The ""Zzyx"" Company",France,Lyon',
      '3,Zzyx Vvkq GmbH,DE,',
      '4,"""Zzyx"" GmbH",DE,',
      '5,"Zzyx ""Vvkq""",,',
      '6,"""Zzyx GmbH",DE,',
    ]);
  });

  test('keeps a line that can’t be asked, and says why', async () => {
    const names = 'x\nAllianz; Narnia\nAllianz; DE; München; 80802\n; Germany';
    const [, ...rows] = await rowsOf(names);
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatch(/^1,x,,,,,,,,,,,,,"The name must have 2 to 500 characters/);
    expect(rows[1]).toMatch(/^2,Allianz,Narnia,,,,,,,,,,,,"?The country .*Narnia/);
    expect(rows[2]).toEndWith(
      ',"The line has more parts than name, country and city. Put a name that has a semicolon in it in quotes."',
    );
    expect(rows[3]).toEndWith(',The line has no name.');
    expect(plain(await pageOf(names))).toContain('4 names: 4 not asked.');
  });

  test('gives a file in which no cell runs as a formula', async () => {
    const response = await send({ names: '=HYPERLINK(1)\n+1 Company\n@sum, "quoted"', as: 'csv' });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="matches.csv"');
    const bytes = await response.bytes();
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const text = new TextDecoder().decode(bytes);
    expect(text).toContain("\r\n1,'=HYPERLINK(1),");
    expect(text).toContain("\r\n2,'+1 Company,");
    expect(text).toContain('\r\n3,"\'@sum, ""quoted""",');
  });

  test('is empty or too long: the form comes back with the text and what is wrong', async () => {
    for (const [names, fault] of [
      [' \n\n', 'Paste at least one name.'],
      ['Bank\n'.repeat(51), 'The list has 51 names. Paste at most 50 at once.'],
    ] as const) {
      const response = await send({ names });
      const page = await response.text();
      expect([response.status, page.includes(`role="alert">${fault}`)]).toEqual([400, true]);
      expect(page).toContain(`aria-invalid="true">\n${names}</textarea>`);
    }
    const most = plain(await pageOf('Bank of Jordan\n'.repeat(50)));
    expect(most).toContain('50 names:');
    expect((await send({ names: 'x'.repeat(100_000) })).status).toBe(413);
  });

  test('never becomes markup', async () => {
    const page = await pageOf('<script>alert(1)</script> & "Sons"; <b>; <i>');
    expect(page).not.toMatch(/<script>|<b>|<i>/);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Sons&quot;');
  });
});

describe('a confidential list', () => {
  test('is sent by POST, and neither caches nor scripts of other sites get the answer', async () => {
    const form = await (await service.fetch('/match')).text();
    expect(form).toContain('method="post" action="/match"');
    const { headers } = await send({ names: 'Allianz' });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('etag')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect((await service.fetch('/match?names=Allianz')).status).toBe(200);
    expect(await (await service.fetch('/match?names=Allianz')).text()).not.toContain('Allianz SE;</');
  });

  test('from a form of another site is refused', async () => {
    const response = await send({ names: 'Allianz' }, { headers: { Origin: 'https://evil.example' } });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('It was sent from another site.');
    const [own] = [new URL(service.baseUrl).origin];
    expect((await send({ names: 'Allianz' }, { headers: { Origin: own } })).status).toBe(200);
    expect((await send({}, { body: '{}', headers: { 'Content-Type': 'application/json' } })).status).toBe(
      415,
    );
  });

  test('appears in no log', async () => {
    const logged = await startTestService({ environment: { LEI_LOG_REQUESTS: 'all' } });
    await send({ names: 'Confidential Takeover Target' }, {}, logged);
    const text = await logged.logText();
    await logged.stop();
    expect(text).toContain('"method":"POST"');
    expect(text).not.toContain('Takeover');
  });
});

describe('the limits of pages', () => {
  test('count each name, for the minute and for the day', async () => {
    const minute = await startTestService({ environment: { LEI_LIMITS: 'enforce', LEI_PAGES_BURST: '5' } });
    const day = await startTestService({ environment: { LEI_LIMITS: 'enforce', LEI_PAGES_DAILY: '5' } });
    for (const [to, words] of [
      [minute, 'Too many pages at once'],
      [day, 'Too many pages today'],
    ] as const) {
      expect((await send({ names: 'Allianz\nSiemens\nBASF\nx' }, {}, to)).status).toBe(200);
      const refused = await send({ names: 'Allianz\nSiemens\nBASF' }, {}, to);
      expect([refused.status, (await refused.text()).includes(words)]).toEqual([429, true]);
      expect((await send({ names: 'Allianz\nSiemens' }, {}, to)).status).toBe(200);
      expect((await to.fetch('/match')).status).toBe(200);
      expect((await send({ names: '' }, {}, to)).status).toBe(400);
      await to.stop();
    }
  });
});
