/**
 * Tests the description of /ext/v1: it passes the linter, is linked, and its examples are the service's own answers.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type DescribedService, exampleOf, startDescribed, steady } from './described.ts';

let described: DescribedService;
beforeAll(async () => {
  described = await startDescribed();
});
afterAll(() => described.service.stop());

describe('/ext/openapi.json', () => {
  test('passes Spectral’s recommended rules', async () => {
    const source = await (await described.service.fetch('/ext/openapi.json')).text();
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source, config, absoluteRef: '/ext/openapi.json' });
    expect(problems.map(({ ruleId, message }) => `${ruleId} ${message}`)).toEqual([]);
  });

  test('is linked from the catalogue', async () => {
    const catalog = JSON.parse(await (await described.service.fetch('/.well-known/api-catalog')).text());
    const { baseUrl } = described.service;
    const [, ext] = catalog.linkset;
    expect([ext.anchor, ext['service-desc']]).toEqual([
      `${baseUrl}/ext/v1`,
      [{ href: `${baseUrl}/ext/openapi.json`, type: 'application/json' }],
    ]);
  });

  test('shows examples that equal the service’s answers', async () => {
    const { description, service, ask } = described;
    for (const { get } of Object.values(description.paths)) {
      // The sample is one publication, in which nothing has changed: changes.test.ts checks that example.
      if (get.operationId === 'getChangesSince') continue;
      const example = exampleOf(get);
      const { links } = example;
      const { body } = await ask(links.self);
      expect<unknown>([get.operationId, steady(example, service.baseUrl)]).toEqual([
        get.operationId,
        steady(body, service.baseUrl),
      ]);
    }
  });
});

test('an unknown path below /ext gets a 404 problem', async () => {
  for (const path of ['/ext', '/ext/v1', '/ext/v1/nothing', '/ext/v1/companies/']) {
    const response = await described.service.fetch(path);
    expect([path, response.status, response.headers.get('content-type')]).toEqual([
      path,
      404,
      'application/problem+json',
    ]);
  }
});
