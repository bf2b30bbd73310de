import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import { CompanySchema, type LegalEntityRecord } from '../../src/lei/company.ts';
import type { Address, TypedName } from '../../src/lei/company-parts.ts';
import { isOutdated, shownTime } from '../../src/lei/dates.ts';
import { type MappingKind, mappingTable } from '../../src/lei/identifier-kinds.ts';
import { legalFormLabel } from '../../src/lei/legal-form-list.ts';
import { noticesOf } from '../../src/lei/notices.ts';
import { RelationshipSchema } from '../../src/lei/relationship.ts';
import { isDayName, shownJson } from '../../src/lei/written-days.ts';
import { JsonBytes } from '../../src/protocol/json-bytes.ts';
import { packChangeKey, renderChange } from '../../src/store/change-records.ts';
import { leiLength } from '../../src/store/company-fields.ts';
import {
  lastUpdateOf,
  packCompany,
  searchFactsOf,
  splitProvenance,
  withProvenance,
} from '../../src/store/company-record.ts';
import { CompanySummary } from '../../src/store/company-summary.ts';
import { readIdentifyingFacts } from '../../src/store/identifying-facts.ts';
import {
  joinMappingSlots,
  mappingSlot,
  mappingSlots,
  packMappingSlot,
  renderMappings,
} from '../../src/store/mapping-record.ts';
import { summaryFields } from '../../src/store/publication-reader.ts';
import {
  KeptRelationships,
  packRelationship,
  renderRelationship,
  splitEnds,
  withEnds,
} from '../../src/store/relationship-record.ts';
import { companyText, recordTexts } from '../../src/store/render-company.ts';
import { atOnce } from '../../src/store/steps.ts';
import { jsonIn } from '../support/answers.ts';
import { anyLei, list, optional, record, text } from './random-records.ts';

function summaryOf(stored: string): CompanySummary {
  // lmdb's buffer continues after the value.
  const bytes = Buffer.from(`${stored}\n"A\trest`);
  return new CompanySummary().show(bytes, Buffer.byteLength(stored));
}

function fieldsOf(summary: CompanySummary) {
  const fields = summaryFields.map((field) => [field, jsonOf((out) => summary.put(out, field))]);
  return Object.fromEntries(fields);
}

/** Bytes that a reader gave out: more may follow. */
function glimpsed(bytes: Buffer) {
  return { bytes: Buffer.concat([bytes, Buffer.from('\n"A\trest')]), length: bytes.length };
}

function packedMappings(kind: MappingKind) {
  const slots = mappingSlots(undefined).map((slot, at) =>
    at === mappingTable[kind].slot ? packMappingSlot(kind, ['A']) : slot,
  );
  return glimpsed(Buffer.from(joinMappingSlots(slots) ?? ''));
}

function jsonOf(put: (out: JsonBytes) => void): unknown {
  const out = new JsonBytes();
  put(out);
  return JSON.parse(out.toString());
}

const file = { source: 'GLEIF golden copy, level 1', name: 'a.csv', publishedAt: '2024-05-05T00:00:00Z' };
const texts = recordTexts([file], ['v0', 'v1']);
const provenance = { file: 0, firstSeen: 0, lastChanged: 1 };
const linkTo = (lei: string | null) =>
  lei !== null && /^[0-9A-Za-z]{20}$/.test(lei) ? `/api/v1/lei/${lei}` : null;
/** A lone surrogate is not valid in JSON or a database; it is read back as the replacement character. */
const whole = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

/** The record without what only GLEIF's API shows. */
function withoutLanguages(given: LegalEntityRecord) {
  const successorEntities = given.entity.successorEntities.map(({ lei, name }) => ({ lei, name }));
  return { ...given, entity: { ...given.entity, successorEntities } };
}

/** The example payload. */
const given = JSON.parse(readFileSync(join(import.meta.dir, '../fixtures/company.json'), 'utf8'));

describe('a company record', () => {
  test('is read back unchanged, whatever its values, with label, provenance, mappings and links added', () => {
    fc.assert(
      fc.property(record, (given) => {
        const stored = withProvenance(packCompany(given), provenance);
        const { lei, entity, registration, validation, ...added } = JSON.parse(companyText(stored, texts));
        const { id, other, label } = entity.legalForm;
        expect({ lei, entity: { ...entity, legalForm: { id, other } }, registration, validation }).toEqual(
          JSON.parse(shownJson(withoutLanguages(given))),
        );
        expect(label).toBe(
          given.entity.legalForm.id === null ? null : legalFormLabel(given.entity.legalForm.id),
        );
        expect(added.provenance).toEqual({
          source: file.source,
          file: file.name,
          publishedAt: file.publishedAt,
          firstSeen: 'v0',
          lastChanged: 'v1',
        });
        expect(added.links.self).toBe(`/api/v1/lei/${given.lei}`);
        expect(added.links.managingLou).toBe(linkTo(given.registration.managingLou));
        expect(added.links.successors).toEqual(
          given.entity.successorEntities
            .map((successor) => linkTo(successor.lei))
            .filter((link) => link !== null),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('has no link to what cannot be an LEI, though it is shown as published', () => {
    const none = [
      'NOT AN LEI',
      'a/b?c',
      '529900F6BNUR3RJ2WH2',
      '529900F6BNUR3RJ2WH2/',
      '529900F6BNÜR3RJ2WH2',
    ];
    fc.assert(
      fc.property(record, fc.constantFrom(...none), (given, managingLou) => {
        const successorEntities = [managingLou, '529900F6BNUR3RJ2WH29'].map((lei) => ({
          lei,
          name: null,
          language: null,
        }));
        const entity = { ...given.entity, successorEntities };
        const registration = { ...given.registration, managingLou };
        const packed = packCompany({ ...given, entity, registration });
        const shown = JSON.parse(companyText(withProvenance(packed, provenance), texts));
        expect(shown.registration.managingLou).toBe(managingLou);
        expect(shown.links.managingLou).toBeNull();
        expect(shown.links.successors).toEqual(['/api/v1/lei/529900F6BNUR3RJ2WH29']);
      }),
      { numRuns: 20 },
    );
  });

  test('has the same summary, names and time of update as the whole record', () => {
    fc.assert(
      fc.property(record.map(whole), (given) => {
        const stored = withProvenance(packCompany(given), provenance);
        const summary = summaryOf(stored);
        const shown = JSON.parse(shownJson(given));
        const fields = {
          lei: given.lei,
          name: given.entity.legalName.name,
          country: given.entity.legalAddress.country,
          jurisdiction: given.entity.jurisdiction,
          city: given.entity.legalAddress.city,
          entityStatus: given.entity.status,
          registrationStatus: given.registration.status,
          lastUpdateDate: shown.registration.lastUpdateDate,
          initialRegistrationDate: shown.registration.initialRegistrationDate,
        };
        expect(fieldsOf(summary)).toEqual(fields);
        // In another order than their stored one.
        for (const field of [...summaryFields].reverse()) {
          expect(jsonOf((out) => summary.put(out, field))).toEqual(fields[field]);
        }
        const names = [
          { ...given.entity.legalName, type: 'LEGAL_NAME' },
          ...given.entity.otherNames,
          ...given.entity.transliteratedOtherNames,
        ].map(({ name, type }) => ({ name, type }));
        const bytes = Buffer.from(stored);
        expect(searchFactsOf({ bytes, length: bytes.length }).names).toEqual(
          names.map(({ name, type }) => ({ name: name ?? '', type: type ?? '' })),
        );
        names.forEach((name, number) => {
          expect(jsonOf((out) => summary.putName(out, number))).toEqual(name);
        });
        expect(jsonOf((out) => summary.putName(out, names.length))).toEqual(names[0] ?? null);
        expect(splitProvenance(stored)).toEqual({ record: packCompany(given), provenance });
      }),
    );
  });

  test('has the facts of its JSON', () => {
    fc.assert(
      fc.property(record.map(whole), fc.constantFrom('bic', 'isin', null), (given, kind) => {
        const stored = Buffer.from(withProvenance(packCompany(given), provenance));
        const mappings = kind === null ? null : packedMappings(kind);
        const { entity, registration, validation } = given;
        const placeOf = ({ city, country }: Address) => ({ city, country });
        const present = (names: readonly TypedName[]) =>
          names.map(({ name }) => name).filter((name) => name !== null);
        expect(readIdentifyingFacts(glimpsed(stored), mappings)).toEqual({
          lei: given.lei,
          legalName: entity.legalName.name,
          otherNames: present(entity.otherNames),
          transliteratedNames: present(entity.transliteratedOtherNames),
          legalForm: { id: entity.legalForm.id, other: entity.legalForm.other },
          legalAddress: placeOf(entity.legalAddress),
          headquarters: placeOf(entity.headquartersAddress),
          otherPlaces: [...entity.otherAddresses, ...entity.transliteratedOtherAddresses].map(placeOf),
          numbers: [
            { authority: entity.registeredAt.id, number: entity.registeredAs },
            { authority: validation.validatedAt.id, number: validation.validatedAs },
          ],
          category: entity.category,
          registrationStatus: registration.status,
          identifierKinds: new Set(kind === null ? [] : [kind]),
        });
      }),
    );
  });

  test('that is an LEI alone has no other field and no name', () => {
    const summary = summaryOf('213800E5Z6QRDSMZMK84');
    expect(fieldsOf(summary)).toEqual({
      lei: '213800E5Z6QRDSMZMK84',
      name: null,
      country: null,
      jurisdiction: null,
      city: null,
      entityStatus: null,
      registrationStatus: null,
      lastUpdateDate: null,
      initialRegistrationDate: null,
    });
    expect(summary.lei).toBe('213800E5Z6QRDSMZMK84');
    expect(summary.name).toBeNull();
    expect(() => jsonOf((out) => summary.putName(out, 0))).toThrow('213800E5Z6QRDSMZMK84');
  });

  test('is read from its own bytes, whatever was or is behind them', () => {
    const stored = Buffer.from(withProvenance(packCompany(given), provenance));
    const summary = new CompanySummary();
    const expected = fieldsOf(summary.show(stored, stored.length));
    expect(fieldsOf(summary.show(stored, leiLength))).toMatchObject({
      lei: given.lei,
      name: null,
      country: null,
    });
    expect(fieldsOf(summary.show(stored, stored.length))).toEqual(expected);
  });

  test('renders lists of empty items, whose JSON is many times as long as the stored text', () => {
    const empty = Object.fromEntries(Object.keys(given.entity.legalAddress).map((key) => [key, null]));
    const nowhere = { ...empty, addressLines: [] };
    const otherAddresses = Array.from({ length: 20_000 }, () => ({ type: null, ...nowhere }));
    const otherNames = Array.from({ length: 20_000 }, () => ({ name: null, language: null, type: null }));
    const entity = { ...given.entity, legalAddress: nowhere, headquartersAddress: nowhere };
    const crowded = { ...given, entity: { ...entity, otherAddresses, otherNames } };
    const stored = withProvenance(packCompany(crowded), provenance);
    const rendered = JSON.parse(companyText(stored, texts)).entity;
    expect(rendered.otherAddresses).toEqual(otherAddresses);
    expect(rendered.otherNames).toEqual(otherNames);
    expect(rendered.headquartersAddress).toEqual(nowhere);
  });

  test('equals the example payload byte for byte, in a third of its size', () => {
    const payloadTexts = recordTexts(
      [
        {
          source: given.provenance.source,
          name: given.provenance.file,
          publishedAt: given.provenance.publishedAt,
        },
      ],
      [given.provenance.firstSeen],
    );
    const stored = withProvenance(packCompany(given), { file: 0, firstSeen: 0, lastChanged: 0 });
    const json = companyText(stored, payloadTexts);
    // The payload was written before answers had days.
    const withoutDays = JSON.parse(json, (name, value) => (isDayName(name) ? undefined : value));
    expect(JSON.stringify(withoutDays)).toBe(JSON.stringify(given));
    expect(Value.Errors(CompanySchema, JSON.parse(json)).First()).toBeUndefined();
    expect(stored.length).toBeLessThan(json.length / 3);
  });

  test('has its time of update', () => {
    expect(lastUpdateOf(packCompany(given))).toBe(given.registration.lastUpdateDate);
  });
});

describe('a relationship record', () => {
  const relationship = fc.record({
    type: text,
    status: optional,
    periods: list(fc.record({ type: optional, startDate: optional, endDate: optional })),
    qualifiers: list(fc.record({ dimension: optional, category: optional })),
    quantifiers: list(fc.record({ method: optional, amount: optional, units: optional })),
    validation: fc.record({ sources: optional, documents: optional, reference: optional }),
    registration: fc.record({
      status: optional,
      initialRegistrationDate: optional,
      lastUpdateDate: optional,
      nextRenewalDate: optional,
      managingLou: fc.option(anyLei, { nil: null }),
    }),
  });

  test('is read back unchanged with both its ends', () => {
    fc.assert(
      fc.property(relationship, fc.nat(), fc.nat(), (given, start, end) => {
        const packed = packRelationship(given);
        const stored = withEnds(packed, start, end);
        const rendered = renderRelationship(stored);
        expect(JSON.parse(rendered.json)).toEqual(JSON.parse(shownJson(given)));
        expect({ start: rendered.start, end: rendered.end }).toEqual({ start, end });
        const { type, status, registration } = whole(given);
        expect({ type: rendered.type, status: rendered.status }).toEqual({ type, status });
        expect(rendered.lastUpdateDate).toBe(shownTime(registration.lastUpdateDate ?? '').time);
        expect(splitEnds(stored)).toEqual({ start, end, record: packed });
      }),
    );
  });

  test("is the same among its company's, few or many, and after those of another company", () => {
    const kept = new KeptRelationships();
    fc.assert(
      fc.property(
        fc.array(relationship, { maxLength: 20 }),
        fc.constantFrom(1, 1_100_000),
        (given, times) => {
          const stored = given.map((each, index) => withEnds(packRelationship(each), index, 7));
          // So that they have no room where the earlier ones were; so much is not kept afterwards.
          const padded = [...stored, withEnds('x'.repeat(times), 8, 9)];
          const numbers = padded.map((_, index) => index);
          const lists = { asStart: numbers.slice(0, 3), asEnd: numbers.slice(3) };
          const read = (number: number) => {
            const bytes = Buffer.from(`${padded[number]} and what follows`);
            return { bytes, length: Buffer.byteLength(padded[number] ?? '') };
          };
          const shown = atOnce(kept.keep(lists, read));
          expect([...shown.asStart, ...shown.asEnd].map(({ json }) => json)).toEqual(
            padded.map((text) => renderRelationship(text).json),
          );
          expect(shown.asStart).toHaveLength(Math.min(3, padded.length));
        },
      ),
    );
  });

  test('stays valid between the steps of many and after them, whatever is read meanwhile', () => {
    const kept = new KeptRelationships();
    const [given] = fc.sample(relationship, 1);
    if (given === undefined) throw new Error('No relationship was made.');
    const stored = (number: number) => withEnds(packRelationship(given), number, 7);
    const read = (number: number) => {
      const bytes = Buffer.from(`${stored(number)} and what follows`);
      return { bytes, length: Buffer.byteLength(stored(number)) };
    };
    const listsOf = (count: number) => ({ asStart: [], asEnd: Array.from({ length: count }, (_, n) => n) });
    const [many, alsoMany] = [kept.keep(listsOf(1_000), read), kept.keep(listsOf(900), read)];
    let steps = 0;
    for (let ended = false; !ended; steps++) {
      alsoMany.next();
      atOnce(kept.keep(listsOf(3), read));
      const { done, value } = many.next();
      if (done !== true) continue;
      ended = true;
      atOnce(kept.keep(listsOf(900), read));
      expect(value.asEnd.map(({ start }) => start)).toEqual(listsOf(1_000).asEnd);
      expect(value.asEnd.at(-1)?.json).toBe(renderRelationship(stored(999)).json);
    }
    expect(steps).toBe(5);
  });

  test('has the members of the schema, in its order', () => {
    const [given] = fc.sample(relationship, 1);
    const json: unknown = JSON.parse(
      renderRelationship(withEnds(packRelationship(given ?? fail()), 1, 2)).json,
    );
    expect(Object.keys(json ?? {})).toEqual(Object.keys(RelationshipSchema.properties));
  });
});

function fail(): never {
  throw new Error('no sample');
}

describe('mappings of a company', () => {
  test('replace one kind and leave the others', () => {
    const slots = mappingSlots(undefined);
    slots[mappingTable.bic.slot] = packMappingSlot('bic', ['DEUTDEFFXXX']);
    const bics = joinMappingSlots(slots) ?? undefined;
    const more = mappingSlots(bics);
    more[mappingTable.isin.slot] = packMappingSlot('isin', ['DE0005140008'], 636_388);
    const both = joinMappingSlots(more) ?? undefined;
    const stored = Buffer.from(both ?? '');
    const rendered = renderMappings(stored, stored.length);
    expect(jsonIn(rendered.json.bytes())).toEqual({
      bic: ['DEUTDEFFXXX'],
      mic: [],
      gem: [],
      qcc: [],
      ocid: [],
      isin: { count: 636_388, first: ['DE0005140008'] },
    });
    expect(rendered).toMatchObject({ notices: noticesOf(['bic']) });
    expect(mappingSlot(both, 'bic')).toBe('DEUTDEFFXXX');
    expect(joinMappingSlots(mappingSlots(undefined))).toBeNull();
  });
});

describe('keys of changes', () => {
  test('sort by company, then time, then load, then order within a load', () => {
    const ordered = [
      { lei: '213800E5Z6QRDSMZMK84', at: '1969-12-31T23:59:59Z', version: 3, sequence: 0 },
      { lei: '213800E5Z6QRDSMZMK84', at: '1985-01-01T00:00:00Z', version: 9, sequence: 0 },
      { lei: '213800E5Z6QRDSMZMK84', at: '2024-05-05T00:00:00Z', version: 1, sequence: 700 },
      { lei: '213800E5Z6QRDSMZMK84', at: '2024-05-05T00:00:00Z', version: 2, sequence: 0 },
      { lei: '213800E5Z6QRDSMZMK84', at: '2024-05-05T00:00:00.001Z', version: 0, sequence: 0 },
      { lei: '529900F6BNUR3RJ2WH29', at: '1985-01-01T00:00:00Z', version: 0, sequence: 1 },
    ];
    const keys = ordered.map(packChangeKey);
    expect([...keys].reverse().sort(Buffer.compare)).toEqual(keys);
  });
});

describe('times of records', () => {
  test('compare with and without fractions of a second', () => {
    expect(isOutdated('2024-05-04T11:53:54Z', '2024-05-04T11:53:54.5Z')).toBe(true);
    expect(isOutdated('2024-05-04T11:53:54.5Z', '2024-05-04T11:53:54Z')).toBe(false);
    expect(isOutdated('2024-05-04T11:53:54Z', '2024-05-04T11:53:55Z')).toBe(true);
    expect(isOutdated('', '2024-05-04T11:53:55Z')).toBe(false);
  });

  test('are the same however many digits a fraction of a second was published with', () => {
    expect(isOutdated('2024-05-04T11:53:54.5Z', '2024-05-04T11:53:54.50Z')).toBe(false);
    expect(isOutdated('2024-05-04T11:53:54.49Z', '2024-05-04T11:53:54.500Z')).toBe(true);
    expect(isOutdated('2024-05-04T11:53:54.50Z', '2024-05-04T11:53:54.501Z')).toBe(true);
    expect(isOutdated('2024-05-04T11:53:50Z', '2024-05-04T11:53:50Z')).toBe(false);
    expect(isOutdated('2024-05-04T11:53:50Z', '2024-05-04T11:53:50.000Z')).toBe(false);
  });
});

describe('a change that an earlier version wrote', () => {
  const about = {
    start: '529900T8BM49AURSDO55',
    end: '7LTWFZYICNSX8D621K86',
    type: 'IS_DIRECTLY_CONSOLIDATED_BY',
  };
  const row = (relationship: object, changes: readonly object[]) => ({
    kind: 'relationship-change',
    at: '2024-01-02T00:00:00Z',
    datasetVersion: '20240102T000000Z-00000001',
    relationship,
    changes,
  });
  const shown = (written: object): unknown => JSON.parse(renderChange(JSON.stringify(written), texts));

  test('is shown as a removed relationship if a status became null', () => {
    const written = row(about, [{ field: 'status', from: 'ACTIVE', to: null }]);
    const { changes: _, ...rest } = written;
    expect(shown(written)).toEqual({ ...rest, kind: 'relationship-removed' });
  });

  test('is shown as it was written in any other form', () => {
    for (const written of [
      row(about, [{ field: 'status', from: null, to: 'ACTIVE' }]),
      row(about, [{ field: 'status', from: 'ACTIVE', to: 'INACTIVE' }]),
      row(about, [
        { field: 'qualifiers', from: [], to: null },
        { field: 'status', from: 'ACTIVE', to: null },
      ]),
      row({ ...about, end: null }, [{ field: 'status', from: 'ACTIVE', to: null }]),
      {
        kind: 'change',
        at: '2024-01-02T00:00:00Z',
        changes: [{ field: 'status', from: 'ACTIVE', to: null }],
      },
    ])
      expect(shown(written)).toEqual(written);
  });
});
