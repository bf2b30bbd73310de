/** Tests that each member of the description is explained, and that its type is what the loader guarantees. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { readConfig } from '../../src/config.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { startTestService, type TestService } from '../support/service.ts';

const described = (settings: Readonly<Record<string, string>> = {}) =>
  openApiDocument(readConfig(settings).config, 'http://127.0.0.1:3000');

interface Member {
  readonly path: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every property of every schema below a value, by its path in the document. */
function membersOf(value: unknown, path: string): Member[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => membersOf(item, `${path}/${index}`));
  if (!isObject(value)) return [];
  const { properties } = value;
  const own =
    isObject(properties) && 'type' in value
      ? Object.entries(properties).map(([name, schema]) => ({
          path: `${path}/${name}`,
          schema: isObject(schema) ? schema : {},
        }))
      : [];
  const below = Object.entries(value).flatMap(([name, inner]) => membersOf(inner, `${path}/${name}`));
  return [...own, ...below];
}

const components = () => {
  const { components } = described();
  return isObject(components) ? components['schemas'] : null;
};

test('every member of every schema has an explanation that ends with a full stop', () => {
  const members = membersOf(components(), '');
  expect(members.length).toBeGreaterThan(250);
  const bare = members.filter(({ schema }) => !/^[`A-Z].+\.$/s.test(String(schema['description'] ?? '')));
  expect(bare.map(({ path }) => path)).toEqual([]);
});

test('every parameter, header and response has an explanation', () => {
  const { components } = described();
  const all = ['parameters', 'headers', 'responses'].flatMap((part) =>
    Object.entries(isObject(components) && isObject(components[part]) ? components[part] : {}),
  );
  const bare = all.filter(([, value]) => !isObject(value) || typeof value['description'] !== 'string');
  expect(all.length).toBeGreaterThan(30);
  expect(bare.map(([name]) => name)).toEqual([]);
});

test.each<['recommended' | 'all', Readonly<Record<string, string>>]>([
  ['recommended', {}],
  ['recommended', { LEI_LIMITS: 'off', LEI_CONTACT: 'https://lei.example/help', LEI_SIGNUP: 'off' }],
  ['all', { LEI_CONTACT: 'ada@example.com' }],
])('Spectral’s %s rules for OpenAPI find nothing with the settings %j', async (rules, settings) => {
  const spectral = new Spectral();
  const ruleset: RulesetDefinition = { extends: [[oas as RulesetDefinition, rules]] };
  spectral.setRuleset(ruleset);
  const found = await spectral.run(JSON.stringify(described(settings)));
  expect(found.map(({ code, path, message }) => [code, path.join('/'), message])).toEqual([]);
});

test('the description states LEI_CONTACT as its contact, or else the home page', () => {
  const contactIn = (settings: Readonly<Record<string, string>>) => {
    const { info } = described(settings);
    return isObject(info) ? info['contact'] : null;
  };
  const name = 'The operator of this service';
  const url = 'http://127.0.0.1:3000/';
  expect(contactIn({})).toEqual({ name, url });
  expect(contactIn({ LEI_CONTACT: 'ada@example.com' })).toEqual({ name, url, email: 'ada@example.com' });
  const help = 'https://lei.example/help';
  expect(contactIn({ LEI_CONTACT: help })).toEqual({ name, url: help });
});

test('objects may gain members in 1.x, the envelope may not', () => {
  const text = JSON.stringify(described());
  const closed = text.match(/"additionalProperties":false/g) ?? [];
  const envelopes = text.match(/"required":\["data","meta","links"\]/g) ?? [];
  expect(closed).toHaveLength(envelopes.length);
  expect(envelopes).toHaveLength(10);
  expect(text).toContain('Version 1.x may add');
});

test('members with a closed set of values have an enum, in answers too', () => {
  const enums = membersOf(components(), '').filter(({ schema }) => 'enum' in schema || 'const' in schema);
  expect(enums.map(({ path }) => path.split('/').slice(1).join('/'))).toEqual(
    expect.arrayContaining([
      'StatusAnswer/status',
      'SearchAnswer/properties/query/status',
      'ChangeItem/anyOf/0/kind',
    ]),
  );
});

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('a company’s own name is never null in any answer', async () => {
  const dataOf = async (path: string) => JSON.parse(await (await service.fetch(path)).text()).data;
  const { items } = await dataOf('/api/v1/search?q=bank&limit=100');
  expect(items).toHaveLength(100);
  for (const { lei, name, matchedName } of items) {
    const { entity } = await dataOf(`/api/v1/lei/${lei}`);
    const related = await dataOf(`/api/v1/lei/${lei}/relationships`);
    const names = [name, matchedName.name, entity.legalName.name, related.name];
    expect(names.map((each) => typeof each)).toEqual(Array(4).fill('string'));
  }
  const types = membersOf(components(), '').filter(({ path }) =>
    /^\/(LegalName|SearchHit|SearchHit\/properties\/matchedName|CompanyRelationships)\/name$/.test(path),
  );
  expect(types.map(({ schema }) => schema['type'])).toEqual(Array(4).fill('string'));
});
