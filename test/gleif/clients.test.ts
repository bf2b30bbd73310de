/** Requests to GLEIF's API as its clients send them, over the bundled sample. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { gleifBase } from '../../src/gleif/routes.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const get = (path: string, init?: BunFetchRequestInit) => service.fetch(`${gleifBase}${path}`, init);

describe('requests as clients send them', () => {
  test.each([
    '/lei-records?page[number]=1&page[size]=5&sort=-registration.lastUpdateDate&filter[fulltext]=bank&filter[registration.status]=ISSUED',
    '/lei-records/?filter[fulltext]=shell',
    '/lei-records?page[number]=1&page[size]=15&filter[bic]=DEUTDEFF',
    '/lei-records/7LTWFZYICNSX8D621K86/isins?page[number]=1&page[size]=15',
    '/lei-records/98450051BS9C610A8T78/direct-parent-relationship',
    '/lei-records?filter%5Bfulltext%5D=deutsche+bank&page%5Bnumber%5D=1&page%5Bsize%5D=5',
    '/lei-records?filter%5Bentity.legalName%5D=Deutsche+Bank+Aktiengesellschaft&page%5Bsize%5D=10',
    '/lei-records?filter%5Bentity.legalName%5D=%2Ashell%2A&page=1&size=10',
    '/lei-records?filter%5bfulltext%5d=shell&page%5Bnumber%5D=1&page%5Bsize%5D=5',
    '/lei-records?filter[entity.legalName]=Deutsche%20Bank',
    '/lei-records?filter[registration.status]=ISSUED&page[number]=1&page[size]=5',
    '/lei-records?filter[isin]=DE0005140008',
    '/lei-records?filter%5Bentity.legalAddress.country%5D=DE&page=1&size=25',
    '/entity-legal-forms?page=1&size=250',
    '/fields?page[size]=1',
    '/countries?page[size]=9999',
    '/lei-records?page[size]=1&page[number]=1&filter[lei]=7LTWFZYICNSX8D621K86&utm_source=x',
    '/lei-records?fields%5Blei-records%5D=lei%2Centity%2Cregistration&page%5Bsize%5D=200&page%5Bcursor%5D=%2A',
    '/lei-records?filter[registration.lastUpdateDate]=%3E%3D2024-05-04T00%3A00%3A00Z&sort=registration.lastUpdateDate',
    '/lei-records?filter%5Bentity.registeredAs%5D=33031431&filter%5Bentity.legalAddress.country%5D=nl',
    '/autocompletions?field=fulltext&q=deut',
    '/fuzzycompletions?field=entity.legalName&q=deutche',
    '/autocompletions?field=fulltext&q=deut&page%5Bsize%5D=5',
    '/lei-records/7LTWFZYICNSX8D621K86/direct-child-relationships/?page%5Bnumber%5D=1',
    '/lei-records/7LTWFZYICNSX8D621K86/field-modifications?page[limit]=100',
    '/lei-records?filter%5Bregistration.lastUpdateDate%5D%3E%3D=2024-05-04&page%5Bcursor%5D=%2A&page%5Bsize%5D=2',
    '/lei-records?filter[registration.lastUpdateDate]=2024-05-01T00:00:00Z..2024-05-06T23:59:59Z&page[cursor]=*',
    '/lei-records?filter[entity.legalName]=*Deutsche*&filter[entity.jurisdiction]=DE&fields[lei-records]=lei,entity',
    '/lei-records/98450051BS9C610A8T78?include=direct-parent%2Cultimate-parent',
  ])('%s is answered', async (path) => {
    const { status, headers } = await get(path, { headers: { Accept: '*/*' } });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/vnd.api+json']);
  });

  test('a walk by cursor ends without a next page, and the links of its records lead to their relationships and parents', async () => {
    const link = async (url: string) => JSON.parse(await (await service.fetch(url)).text());
    const at = (url: string) => url.replace(service.baseUrl, '');
    const first = JSON.parse(
      await (await get('/lei-records?page[cursor]=*&filter[lei]=98450051BS9C610A8T78')).text(),
    );
    expect(first.links.next).toBeUndefined();
    const { relationships } = first.data[0];
    const record = await link(at(relationships['direct-parent'].links['relationship-record']));
    const parent = await link(at(record.data.relationships['end-node'].links.related));
    expect(parent.data.id).toBe('2138002YAB7Z9KO21397');
  });

  test.each(['entity.legalName', 'entity.names', 'fulltext'])(
    'a comma in %s, as in front of Inc., is a blank and no list',
    async (field) => {
      const found = JSON.parse(await (await get(`/lei-records?filter[${field}]=MONOOVA,%20FX`)).text());
      expect(found.data.map((record: { id: string }) => record.id)).toEqual(['98450051BS9C610A8T78']);
    },
  );

  test.each([
    ['/lei-issuer?filter[isin]=DE0005140008', 404],
    ['/lei-records/7LTWFZYICNSX8D621K86/relationship-records', 404],
    ['/lei-records/fuzzy-completions?filter[entity.legalName]=deutsche', 404],
    ['/autocompletions?q=deutsche', 400],
    ['/lei-records?filter[entity.legalForm.id]=XTIQ', 400],
    ['/lei-records?filter[entity.legalAddress.city]=Berlin', 400],
    ['/lei-records?page[size]=1000', 400],
  ])(
    'what GLEIF does not have either ends in an error, after which clients try another way: %s',
    async (path, expected) => {
      const answer = await get(path);
      const { errors } = JSON.parse(await answer.text());
      expect([answer.status, errors[0].status]).toEqual([expected, String(expected)]);
      expect([typeof errors[0].title, typeof errors[0].detail]).toEqual(['string', 'string']);
    },
  );

  test('conditional requests, HEAD and cross-origin reads are those of the service', async () => {
    const first = await get('/lei-records/7LTWFZYICNSX8D621K86');
    const tag = first.headers.get('etag') ?? '';
    const again = await get('/lei-records/7LTWFZYICNSX8D621K86', { headers: { 'If-None-Match': tag } });
    expect([again.status, first.headers.get('access-control-allow-origin')]).toEqual([304, '*']);
    const head = await get('/lei-records/7LTWFZYICNSX8D621K86', { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(first.headers.get('content-length'));
  });

  test('a link to the next page is followed also with the parameters of the first request again', async () => {
    const sent = 'filter[fulltext]=bank&page[size]=5&sort=entity.legalName';
    const { links } = JSON.parse(await (await get(`/lei-records?${sent}`)).text());
    const next = links.next.replace(service.baseUrl, '');
    const second = await service.fetch(next);
    const again = await service.fetch(`${next}&${sent}`);
    expect([second.status, again.status]).toEqual([200, 200]);
    expect(await again.text()).toBe(await second.text());
  });

  test.each(['/lei-records', '/lei-records/7LTWFZYICNSX8D621K86/isins', '/nothing'])(
    'a script in a browser may name the type of a body that it does not send: %s',
    async (path) => {
      const asked = {
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'content-type',
      };
      const { status, headers } = await get(path, {
        method: 'OPTIONS',
        headers: { Origin: 'https://example.com', ...asked },
      });
      const allowed = headers.get('access-control-allow-headers')?.split(', ');
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*']);
      expect(allowed).toEqual(['Authorization', 'If-None-Match', 'If-Modified-Since', 'Content-Type']);
    },
  );
});
