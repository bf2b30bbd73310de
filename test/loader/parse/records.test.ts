/** Tests what makes a record unusable, what is merely odd, and how each kind of row is read. */
import { expect, test } from 'bun:test';
import { groupEvents } from '../../../src/loader/parse/record/fields.ts';
import { csv, lei, level1Records, onlyRow, otherLei, readBytes, readFixture } from './reading.ts';
import { rr, xml } from './writing.ts';

const usual = {
  LEI: lei,
  'Entity.LegalName': 'ALFA REY s.r.o.',
  'Entity.LegalAddress.Country': 'SK',
  'Entity.HeadquartersAddress.Country': 'SK',
  'Entity.EntityStatus': 'ACTIVE',
  'Registration.LastUpdateDate': '2024-05-04T00:00:00Z',
  'Registration.RegistrationStatus': 'ISSUED',
};
const columns = [
  ...Object.keys(usual),
  'Entity.EntityCategory',
  'Entity.EntityCreationDate',
  'Registration.ManagingLOU',
  'Entity.SuccessorEntity.1.SuccessorLEI',
  'Entity.LegalEntityEvents.LegalEntityEvent.1.group_sequence_no',
];

/** The reports about one level 1 row with one unusual value, apart from the header. */
async function said(change: Readonly<Record<string, string>>) {
  const { rows, rejects, remarks } = await readBytes(csv(columns, { ...usual, ...change }));
  const told = [...rejects, ...remarks.filter(({ place }) => place.number > 1)];
  return { rows: rows.length, told: told.map(({ column, reason }) => `${column} ${reason}`) };
}

test('a row without a valid LEI is unusable, and the reason says what is allowed', async () => {
  expect(await said({ LEI: '' })).toEqual({
    rows: 0,
    told: ['LEI is empty, but it is the key of the record'],
  });
  const checkDigits = await said({ LEI: '097900BID10000147477' });
  expect(checkDigits.rows).toBe(0);
  expect(checkDigits.told[0]).toContain('but must be 76');
  expect((await said({ LEI: '097900BID1000014747' })).told[0]).toContain('has 20 characters');
});

test('a real record published with wrong check digits is rejected with its line', async () => {
  const { rejects } = await readFixture('20260123-0800-gleif-goldencopy-lei2-golden-copy.csv.zip');
  expect(rejects).toHaveLength(1);
  expect(rejects[0]).toMatchObject({ place: { unit: 'line' }, column: 'LEI' });
});

test('an LEI in lower case is the same LEI', async () => {
  const { rows } = await readBytes(csv(columns, { ...usual, LEI: lei.toLowerCase() }));
  expect(rows).toMatchObject([{ record: { lei } }]);
});

test('an odd value that is not a key is kept as published, with a remark', async () => {
  const cases: readonly [Record<string, string>, string][] = [
    [
      { 'Registration.RegistrationStatus': 'ASLEEP' },
      'Registration.RegistrationStatus "ASLEEP" is not one of',
    ],
    [{ 'Entity.EntityStatus': '' }, 'Entity.EntityStatus is missing'],
    [{ 'Entity.EntityCategory': 'CLUB' }, 'Entity.EntityCategory "CLUB" is not one of GENERAL, BRANCH'],
    [{ 'Entity.LegalName': '' }, 'Entity.LegalName is missing'],
    [
      { 'Entity.LegalAddress.Country': 'Slovakia' },
      'Entity.LegalAddress.Country "Slovakia" is not a country code',
    ],
    [{ 'Registration.ManagingLOU': 'nobody' }, 'Registration.ManagingLOU "nobody" is not an LEI'],
    [
      { 'Entity.SuccessorEntity.1.SuccessorLEI': 'X' },
      'Entity.SuccessorEntity.1.SuccessorLEI "X" is not an LEI',
    ],
    [
      { 'Entity.EntityCreationDate': '2024-02-30T00:00:00Z' },
      'Entity.EntityCreationDate "2024-02-30T00:00:00Z" is not a valid date',
    ],
    [{ 'Registration.LastUpdateDate': '' }, 'Registration.LastUpdateDate is missing'],
  ];
  for (const [change, expected] of cases) {
    const { rows, told } = await said(change);
    expect(rows).toBe(1);
    expect(told).toHaveLength(1);
    expect(told[0]).toStartWith(expected);
  }
  expect(await said({})).toEqual({ rows: 1, told: [] });
  // A value of white space only is absent.
  expect(await said({ 'Entity.EntityCategory': ' \t' })).toEqual({ rows: 1, told: [] });
});

test('an impossible date stays as published in the record', async () => {
  const date = '2024-02-30T00:00:00Z';
  const reading = await readBytes(csv(columns, { ...usual, 'Entity.EntityCreationDate': date }));
  expect(level1Records(reading)[0]?.entity.creationDate).toBe(date);
});

test('an event number that is not a number is left out with a remark', async () => {
  const sequence = 'Entity.LegalEntityEvents.LegalEntityEvent.1.group_sequence_no';
  const { told } = await said({ [sequence]: 'first' });
  expect(told[0]).toBe(`${sequence} "first" is not a positive whole number; the event is kept without it`);
});

test('an unknown type of a name, an address or an event is kept with a remark', async () => {
  const [list, item] = ['Entity.OtherEntityNames.OtherEntityName', 'Entity.OtherAddresses.OtherAddress'];
  const event = 'Entity.LegalEntityEvents.LegalEntityEvent';
  const odd = {
    [`${list}.1`]: 'ALFA',
    [`${list}.1.type`]: 'NICKNAME',
    [`${item}.2.City`]: 'Banská',
    [`${event}.1.group_type`]: 'STANDALONE',
    [`${event}.1.event_status`]: 'DONE',
    [`${event}.1.LegalEntityEventType`]: 'PARTY',
  };
  const reading = await readBytes(csv([...Object.keys(usual), ...Object.keys(odd)], { ...usual, ...odd }));
  expect(level1Records(reading)[0]?.entity).toMatchObject({
    otherNames: [{ name: 'ALFA', type: 'NICKNAME' }],
    otherAddresses: [{ city: 'Banská', type: null }],
    eventGroups: [{ groupType: 'STANDALONE', events: [{ type: 'PARTY', status: 'DONE' }] }],
  });
  expect(reading.remarks.filter(({ place }) => place.number > 1).map(({ column }) => column)).toEqual([
    `${list}.1.type`,
    `${item}.1.type`,
    `${event}.LegalEntityEventType`,
    `${event}.event_status`,
  ]);
});

test('the absent type of a name or an address, and an absent name, are null in every format', async () => {
  const list = 'Entity.OtherEntityNames.OtherEntityName';
  const row = { ...usual, 'Entity.LegalName': '', [`${list}.1`]: 'ALFA', [`${list}.2.type`]: 'NICKNAME' };
  const address = { 'Entity.OtherAddresses.OtherAddress.1.City': 'Banská' };
  const json = {
    LEI: { $: usual.LEI },
    Entity: {
      LegalName: {},
      OtherEntityNames: { OtherEntityName: [{ $: 'ALFA' }, { '@type': 'NICKNAME' }] },
      OtherAddresses: { OtherAddress: [{ City: { $: 'Banská' } }] },
    },
  };
  const published = [
    csv([...Object.keys(row), ...Object.keys(address)], { ...row, ...address }),
    JSON.stringify({ records: [json] }),
  ];
  for (const text of published) {
    const entity = level1Records(await readBytes(text))[0]?.entity;
    expect(entity).toMatchObject({
      legalName: { name: '' },
      otherNames: [
        { name: 'ALFA', type: null },
        { name: null, type: 'NICKNAME' },
      ],
      otherAddresses: [{ city: 'Banská', type: null }],
    });
  }
});

test('a long odd value is shortened in its report', async () => {
  const { told } = await said({ 'Entity.EntityCategory': 'x'.repeat(5000) });
  expect(told[0]?.length).toBeLessThan(300);
});

test('an exception without a known category is unusable, one without a known reason is odd', async () => {
  const { rows, rejects, remarks } = await readBytes(
    csv(
      ['LEI', 'Exception.Category', 'Exception.Reason.1'],
      { LEI: lei, 'Exception.Category': 'A_PARENT', 'Exception.Reason.1': 'NO_LEI' },
      {
        LEI: lei,
        'Exception.Category': 'DIRECT_ACCOUNTING_CONSOLIDATION_PARENT',
        'Exception.Reason.1': 'SHY',
      },
      { LEI: otherLei, 'Exception.Category': 'DIRECT_ACCOUNTING_CONSOLIDATION_PARENT' },
    ),
  );
  expect(rejects.map(({ column, reason }) => `${column} ${reason}`)).toEqual([
    'Exception.Category "A_PARENT" is not one of DIRECT_ACCOUNTING_CONSOLIDATION_PARENT, ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT',
  ]);
  expect(remarks.filter(({ place }) => place.number > 1).map(({ reason }) => reason.slice(0, 17))).toEqual([
    '"SHY" is not one ',
    'is missing',
  ]);
  expect(rows).toHaveLength(2);
});

test('a relationship needs both ends and a type; any type is kept', async () => {
  const tree = (StartNode: string, EndNode: string, RelationshipType: string) => ({
    Relationship: {
      StartNode: { NodeID: StartNode },
      EndNode: { NodeID: EndNode },
      RelationshipType,
      RelationshipStatus: 'ACTIVE',
    },
    Registration: {
      RegistrationStatus: 'PUBLISHED',
      LastUpdateDate: '2024-05-04T00:00:00Z',
      ManagingLOU: 'nobody',
    },
  });
  const { rows, rejects, remarks } = await readBytes(
    xml(rr, [
      tree(lei, '', 'IS_FEEDER_TO'),
      tree('549300', otherLei, 'IS_FEEDER_TO'),
      tree(lei, otherLei, ''),
      tree(lei, otherLei, 'IS_FRIEND_OF'),
    ]),
  );
  expect(rejects.map(({ place, column }) => [place.number, column])).toEqual([
    [1, 'Relationship.EndNode.NodeID'],
    [2, 'Relationship.StartNode.NodeID'],
    [3, 'Relationship.RelationshipType'],
  ]);
  expect(rows).toMatchObject([{ record: { relationship: { type: 'IS_FRIEND_OF' } } }]);
  expect(remarks.map(({ place, column }) => [place, column])).toEqual([
    [{ unit: 'record', number: 4 }, 'Relationship.RelationshipType'],
    [{ unit: 'record', number: 4 }, 'Registration.ManagingLOU'],
  ]);
});

test('each mapping file is recognised by its two column names, in either order and case', async () => {
  const pairs = {
    isin: ['ISIN', 'NGSDCBANCO00'],
    bic: ['BIC', 'LBTCUS44XXX'],
    mic: ['MIC', 'SPXE'],
    gem: ['GEM', 'E100000001096'],
    qcc: ['QCC', 'QSGM6KFM4H'],
    ocid: ['OpenCorporatesID', 'de/M1201_HRB32000'],
  } as const;
  for (const [kind, [column, value]] of Object.entries(pairs)) {
    for (const content of [
      `LEI,${column}\n${lei},${value}\n`,
      `"${column.toLowerCase()}","lei"\r\n"${value}","${lei}"\r\n`,
    ]) {
      const reading = await readBytes(content);
      expect(reading.source.kind as string).toBe(kind);
      expect(onlyRow(reading) as unknown).toEqual({ kind, lei, value });
    }
  }
});

test('a pair with a wrong identifier is unusable, and the reason names the check', async () => {
  const reason = async (content: string) => (await readBytes(content)).rejects[0]?.reason ?? 'none';
  expect(await reason(`LEI,ISIN\n${lei},US92204Q1032\n`)).toContain('The check digit of this ISIN');
  expect(await reason(`LEI,BIC\n${lei},LBTCUS4\n`)).toContain('A BIC has 8 characters, or 11 for a branch');
  expect(await reason(`LEI,QCC\n${lei},QSGM6KFM4L\n`)).toContain('A QCC code has 10 characters');
  expect(await reason(`LEI,OpenCorporatesID\n${lei},Companies House\n`)).toContain('An OpenCorporates id');
});

test('the ISO 10383 list is read under either spelling of its columns', async () => {
  const row = `"DRSP","DRSP","OPRT","EURONEXT  UK - REPORTING SERVICES","EURONEXT LONDON LIMITED","969500HMVSZ0TCV65D58","APPA","","GB","LONDON","WWW.EURONEXT.COM","ACTIVE","20210927","20210927","20210927","",""`;
  const underscored =
    'MIC,OPERATING_MIC,OPRT_SGMT,MARKET_NAME_INSTITUTION_DESCRIPTION,LEGAL_ENTITY_NAME,LEI,MARKET_CATEGORY_CODE,ACRONYM,ISO_COUNTRY_CODE,CITY,WEBSITE,STATUS,CREATION_DATE,LAST_UPDATE_DATE,LAST_VALIDATION_DATE,EXPIRY_DATE,COMMENTS';
  const spaced =
    'MIC,OPERATING MIC,OPRT/SGMT,MARKET NAME-INSTITUTION DESCRIPTION,LEGAL ENTITY NAME,LEI,MARKET CATEGORY CODE,ACRONYM,ISO COUNTRY CODE (ISO 3166),CITY,WEBSITE,STATUS,CREATION DATE,LAST UPDATE DATE,LAST VALIDATION DATE,EXPIRY DATE,COMMENTS';
  for (const header of [underscored, spaced]) {
    const reading = await readBytes(`${header}\n${row}\n`);
    expect(reading.remarks).toEqual([]);
    expect(onlyRow(reading)).toEqual({
      kind: 'mic-list',
      record: {
        mic: 'DRSP',
        operatingMic: 'DRSP',
        name: 'EURONEXT  UK - REPORTING SERVICES',
        type: 'OPRT',
        country: 'GB',
        city: 'LONDON',
        status: 'ACTIVE',
      },
    });
  }
});

const event = (type: string, sequence: number | null = null) => ({
  type,
  status: 'COMPLETED',
  sequence,
  effectiveDate: null,
  recordedDate: null,
  validationDocuments: null,
  validationReference: null,
  affectedFields: [],
});

test('events of one group stay together, by sequence if each has one; standalone ones stay separate', () => {
  const groups = groupEvents([
    { groupType: 'STANDALONE', groupId: null, event: event('CHANGE_LEGAL_NAME') },
    { groupType: 'COMPLEX_CHANGE_LEGAL_FORM', groupId: '7', event: event('TRANSFORMATION', 2) },
    { groupType: 'STANDALONE', groupId: null, event: event('CHANGE_HQ_ADDRESS') },
    { groupType: 'COMPLEX_CHANGE_LEGAL_FORM', groupId: '7', event: event('CHANGE_LEGAL_FORM', 1) },
    { groupType: 'COMPLEX_CHANGE_LEGAL_FORM', groupId: '8', event: event('DISSOLUTION', 1) },
    { groupType: 'REVERSE_TAKEOVER', groupId: null, event: event('ABSORPTION') },
    { groupType: 'REVERSE_TAKEOVER', groupId: null, event: event('CHANGE_LEGAL_NAME') },
    { groupType: null, groupId: null, event: event('BANKRUPTCY') },
    { groupType: null, groupId: null, event: event('LIQUIDATION') },
    { groupType: 'COMPLEX_CHANGE_LEGAL_FORM', groupId: '9', event: event('DEMERGER', 2) },
    { groupType: 'COMPLEX_CHANGE_LEGAL_FORM', groupId: '9', event: event('SPINOFF') },
    { groupType: 'COMPLEX_CHANGE_LEGAL_FORM', groupId: '9', event: event('BREAKUP', 1) },
  ]);
  expect(
    groups.map(({ groupType, groupId, events }) => [groupType, groupId, events.map(({ type }) => type)]),
  ).toEqual([
    ['STANDALONE', null, ['CHANGE_LEGAL_NAME']],
    ['COMPLEX_CHANGE_LEGAL_FORM', '7', ['CHANGE_LEGAL_FORM', 'TRANSFORMATION']],
    ['STANDALONE', null, ['CHANGE_HQ_ADDRESS']],
    ['COMPLEX_CHANGE_LEGAL_FORM', '8', ['DISSOLUTION']],
    ['REVERSE_TAKEOVER', null, ['ABSORPTION', 'CHANGE_LEGAL_NAME']],
    [null, null, ['BANKRUPTCY']],
    [null, null, ['LIQUIDATION']],
    ['COMPLEX_CHANGE_LEGAL_FORM', '9', ['DEMERGER', 'SPINOFF', 'BREAKUP']],
  ]);
});
