/** Tests wrong files and rows: what is refused as a whole, what costs one row, and what is reported about it. */
import { expect, test } from 'bun:test';
import { chmod, mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { limits } from '../../../src/loader/parse/file-reader.ts';
import { openSource } from '../../../src/loader/process/open-source.ts';
import { SourceError } from '../../../src/loader/rows.ts';
import { sayNotRun } from '../../support/programs.ts';
import { csv, fixtureBytes, fixtureText, lei, otherLei, readBytes, refusalOf, withFile } from './reading.ts';
import { lei as level1, rr, xml } from './writing.ts';
import { zip } from './zip.ts';

const goldenCopy = '20260123-0800-gleif-goldencopy-lei2-golden-copy.csv.zip';
const intraDay = '20240505-0000-gleif-goldencopy-lei2-intra-day';
const isins = 'LEI,ISIN\n00EHHQ2ZHDCFXJCPCL46,US92204Q1031\n00KLB2PFTM3060S2N216,US4138382027\n';
const ignored = { row: () => {}, reject: () => {}, remark: () => {} };

/** The same message on every machine. */
const refusesTo = async (path: string) => {
  const failure = await openSource(path).catch((error: unknown) => error);
  if (!(failure instanceof SourceError)) throw new Error(`not refused: ${failure}`);
  return failure.message.slice(path.length + 2);
};

test('a zip archive that was cut off is refused', async () => {
  const whole = zip({ name: 'lei-isin.csv', content: isins.repeat(500) });
  for (const length of [4, 60, whole.length - 30, whole.length - 1]) {
    expect(await refusalOf(whole.subarray(0, length))).toStartWith('is a truncated or broken zip archive: ');
  }
});

test('a zip archive whose content does not have the stated CRC is refused', async () => {
  expect(await refusalOf(zip({ name: 'lei-isin.csv', content: isins, crc: 1 }))).toBe(
    'its member lei-isin.csv has a wrong CRC: the archive is damaged',
  );
});

test('a zip archive that unpacks to another size than stated is refused', async () => {
  const stated = (size: number) => refusalOf(zip({ name: 'lei-isin.csv', content: isins, size }));
  expect(await stated(isins.length + 1)).toContain(
    `unpacks to fewer bytes than the ${isins.length + 1} that the archive states`,
  );
  expect(await stated(isins.length - 1)).toContain(
    `unpacks to more bytes than the ${isins.length - 1} that the archive states`,
  );
});

test('a flipped bit anywhere in the compressed data is noticed', async () => {
  const whole = zip({ name: 'lei-isin.csv', content: isins });
  const dataStart = 30 + 'lei-isin.csv'.length;
  for (let at = dataStart; at < dataStart + 60; at += 7) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 4;
    expect(await refusalOf(damaged)).not.toBe('');
  }
});

test('a zip archive with two files is refused, and the message names both; folders do not count', async () => {
  const file = { name: 'a/isin.csv', content: isins };
  expect(await refusalOf(zip(file, { name: 'b.csv', content: isins }))).toBe(
    "is a zip archive with more than one file (a/isin.csv, b.csv); GLEIF's hold exactly one",
  );
  const { rows, source } = await readBytes(zip({ name: 'a/', content: '' }, file));
  expect(rows).toHaveLength(2);
  expect(source.kind).toBe('isin');
});

test('a zip archive is refused without a file, encrypted, or with an unknown compression', async () => {
  expect(await refusalOf(zip())).toBe('is a zip archive that contains no file');
  expect(await refusalOf(zip({ name: 'a.csv', content: isins, flags: 1 }))).toBe(
    'its member a.csv is encrypted; unpack it first',
  );
  expect(await refusalOf(zip({ name: 'a.csv', content: isins, method: 14 }))).toBe(
    'its member a.csv uses compression method 14; only deflate is supported',
  );
});

test('an uncompressed member is read like a compressed one', async () => {
  expect((await readBytes(zip({ name: 'a.csv', content: isins, method: 0 }))).rows).toHaveLength(2);
});

test('a zip bomb is refused before it is unpacked, and a gzip bomb as soon as it shows', async () => {
  const bomb = `LEI,ISIN\n${' '.repeat(limits.sourceUnpackRatioFromBytes)}`;
  const expected =
    `unpacks to more than ${limits.sourceUnpackRatioMax} times its size (limit sourceUnpackRatioMax), ` +
    'as no real file does: it looks like a zip bomb';
  expect(await refusalOf(zip({ name: 'lei-isin.csv', content: bomb }))).toBe(expected);
  expect(await refusalOf(gzipSync(`LEI,ISIN\n${'\n'.repeat(limits.sourceUnpackRatioFromBytes)}`))).toBe(
    expected,
  );
});

test('a gzip file that was cut off or damaged is refused', async () => {
  const whole = gzipSync(isins.repeat(100));
  const damaged = Buffer.from(whole);
  damaged[whole.length - 8] = (damaged[whole.length - 8] ?? 0) ^ 1;
  for (const content of [whole.subarray(0, whole.length - 9), whole.subarray(0, 20), damaged]) {
    expect(await refusalOf(content)).toStartWith('its compressed data is truncated or broken: ');
  }
});

test('a row with another number of fields is a bad row, the others are kept', async () => {
  const { rows, rejects, summary } = await readBytes(
    `${isins}5493001KJTIIGC8Y1R12\n\n${lei},US4138382027,x\n`,
  );
  expect(rows).toHaveLength(2);
  expect(rejects).toEqual([
    { place: { unit: 'line', number: 4 }, column: null, reason: 'has 1 fields where the header has 2' },
    { place: { unit: 'line', number: 6 }, column: null, reason: 'has 3 fields where the header has 2' },
  ]);
  expect(summary).toMatchObject({ rows: 2, rejected: 2, remarks: 0 });
});

test('an unknown header or root is refused, and the message says what is allowed', async () => {
  expect(await refusalOf('LEI,CUSIP\n')).toBe(
    'its first line, "LEI,CUSIP", is not a known header. Known are those of level 1, relationship records, ' +
      'reporting exceptions, the ISO 10383 list, registration authorities and organisational ' +
      'roles, and LEI with one of ISIN, BIC, MIC, GEM, QCC, OpenCorporatesID',
  );
  expect(await refusalOf('<svg xmlns="http://www.w3.org/2000/svg"/>')).toStartWith(
    'its root element is svg of http://www.w3.org/2000/svg; known are LEIData of http://www.gleif.org/data/schema/leidata/2016, ',
  );
  expect(await refusalOf('{"data":[{"id":1}]}')).toBe(
    'is JSON without any of the lists that GLEIF publishes: records, relations, exceptions',
  );
});

test('a header that lacks a key column, or has one twice, is refused', async () => {
  expect(await refusalOf('Exception.Category,Exception.Reason.1\n')).toBe('its header lacks the column LEI');
  expect(await refusalOf('LEI,LEI,Entity.LegalName\n')).toBe('its header names column LEI twice');
});

test('an empty file is refused, compressed or not', async () => {
  expect(await refusalOf('')).toBe('is empty');
  expect(await refusalOf(gzipSync(''))).toBe('is empty');
  expect(await refusalOf(zip({ name: 'a.csv', content: '' }))).toBe('is empty');
  expect(await refusalOf('\n\r\n')).toBe('is empty');
});

test('what is not UTF-8 is refused in every format, and the message says where', async () => {
  const latin1 = (text: string) => Buffer.from(text.replace('Nové', 'Nov\xe9'), 'latin1');
  const published = await fixtureText(`${intraDay}.csv.zip`);
  expect(await refusalOf(latin1(published))).toStartWith('line 2 is not valid UTF-8');
  expect(await refusalOf(latin1(await fixtureText(`${intraDay}.json.zip`)))).toStartWith(
    'record 1 is not valid UTF-8',
  );
  expect(await refusalOf(latin1(await fixtureText(`${intraDay}.xml.zip`)))).toStartWith(
    'is not valid UTF-8 after record 0',
  );
  expect(await refusalOf(Buffer.from(`\uFEFF${isins}`, 'utf16le'))).toBe(
    'is encoded in UTF-16; all files that GLEIF publishes are UTF-8',
  );
  expect(await refusalOf('<?xml version="1.0" encoding="ISO-8859-1"?><a/>')).toBe(
    'states the encoding ISO-8859-1; all files that GLEIF publishes are UTF-8',
  );
});

test('a web page, plain or packed as the file that it replaces, is called one', async () => {
  const pages = [
    '<!DOCTYPE html>\n<html><body>404</body></html>',
    '\uFEFF\n<!doctype HTML><p>Gone',
    '<html lang="en">',
  ];
  const xhtml =
    '<?xml version="1.0"?>\n<!-- a --><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><html/>';
  for (const page of [...pages, xhtml]) {
    const packed = zip({ name: '20260101-0000-gleif-goldencopy-lei2-golden-copy.xml', content: page });
    for (const content of [page, packed])
      expect(await refusalOf(content)).toStartWith('is a web page, perhaps');
  }
});

test('XML that declares entities, or reads files through them, is refused', async () => {
  const published = await fixtureText('20231106-gleif-lei2.xml');
  const laughs = '<!DOCTYPE a [<!ENTITY l "lol"><!ENTITY m "&l;&l;&l;&l;"><!ENTITY n "&m;&m;&m;&m;">]>';
  const outside = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
  for (const doctype of [laughs, outside, '<!DOCTYPE a SYSTEM "http://example.org/a.dtd">']) {
    const content = published.replace('?><', `?>${doctype}<`).replace('Delaware Ivy', '&n;&x;');
    expect(await refusalOf(content)).toStartWith('has a document type declaration');
  }
  expect(await refusalOf(published.replace('Delaware Ivy', '&unknown;'))).toBe(
    'is not well-formed XML after record 0: undefined entity.',
  );
});

test('XML and JSON that end too early or are not well-formed are refused, and the message says after which record', async () => {
  const published = await fixtureText(`${intraDay}.xml.zip`);
  const cut = published.slice(0, published.indexOf('</lei:LEIRecord>') + 400);
  expect(await refusalOf(cut)).toStartWith('is not well-formed XML after record 1: unclosed tag');
  expect(await refusalOf(published.replace('</lei:City>', '</lei:Town>'))).toStartWith(
    'is not well-formed XML after record 0: unexpected close tag',
  );
  const json = await fixtureText(`${intraDay}.json.zip`);
  expect(await refusalOf(json.slice(0, 20_000))).toStartWith('ends within its JSON, after record ');
  expect(await refusalOf(json.slice(0, json.lastIndexOf(']')))).toBe(
    'ends within its JSON, after record 364: it is truncated',
  );
  expect(await refusalOf(json.replace('},\n{', '}\n{'))).toBe(
    'has "{" where a record should start (after record 1)',
  );
  expect(await refusalOf('{"records":[1]}')).toBe('has "1" where a record should start');
});

const exception = JSON.stringify({ LEI: lei, ExceptionCategory: 'DIRECT_ACCOUNTING_CONSOLIDATION_PARENT' });
const exceptions = `{"exceptions":[${exception},${exception}]}`;

test.each([
  [`[${exception}]`, 'is not one JSON object with a list of records'],
  [`${exceptions}${exceptions}`, 'is not one JSON object with a list of records (after record 2)'],
  [`${exceptions}]`, 'closes more brackets than it opens (after record 2)'],
  [`{"exceptions":[${exception}]]`, 'closes an object with the wrong bracket (after record 1)'],
  [`${exceptions}"and more"`, 'is not JSON (after record 2)'],
  [`${exceptions}\ufeff`, 'is not JSON (after record 2)'],
  [`{"exceptions":[${exception},,${exception}]}`, 'has "," where a record should start (after record 1)'],
  [`{"exceptions":[${exception}${exception}]}`, 'has "{" where a record should start (after record 1)'],
])('JSON with misplaced brackets or commas is refused: %s', async (content, reason) => {
  expect(await refusalOf(content)).toBe(reason);
});

test('each list of records at the root of a JSON file is read, and none further down', async () => {
  const { rows } = await readBytes(`{"exceptions":[${exception}],"exceptions":[${exception}]}`);
  expect(rows).toHaveLength(2);
  expect(await refusalOf(`{"exceptions":{"of":[${exception}]}}`)).toStartWith(
    'is JSON without any of the lists',
  );
});

test('a JSON record that is not valid is the only one lost', async () => {
  const json = await fixtureText(`${intraDay}.json.zip`);
  const { rows, rejects } = await readBytes(json.replace('"LEI": {', '"LEI" {'));
  expect(rows).toHaveLength(363);
  expect(rejects).toHaveLength(1);
  expect(rejects[0]).toMatchObject({ place: { unit: 'record', number: 1 }, column: null });
  expect(rejects[0]?.reason).toStartWith('is not valid JSON: ');
});

test('brackets or elements nested without end are refused', async () => {
  expect(await refusalOf(`{"records":[${'{"a":'.repeat(100)}`)).toBe(
    'has brackets nested more than 64 deep after record 0',
  );
  expect(await refusalOf(`{"x":${'['.repeat(100)}`)).toBe(
    'has brackets nested more than 64 deep after record 0',
  );
  const deep = `<rr:RelationshipData xmlns:rr="${rr.namespace}">${'<rr:a>'.repeat(100)}`;
  expect(await refusalOf(deep)).toBe('has elements nested more than 64 deep');
});

test('an undeclared prefix of an element or an attribute is refused', async () => {
  const root = (content: string) =>
    `<rr:RelationshipData xmlns:rr="${rr.namespace}"><rr:RelationshipRecords>${content}</rr:RelationshipRecords></rr:RelationshipData>`;
  const refused = (name: string) => `is not well-formed XML: the prefix of ${name} is not declared`;
  expect(await refusalOf(root('<x:a/>'))).toBe(refused('x:a'));
  expect(await refusalOf(root('<rr:RelationshipRecord x:a="1"/>'))).toBe(refused('x:a'));
  // Declared, but no longer in scope.
  expect(await refusalOf(root('<x:a xmlns:x="urn:x"/><x:a/>'))).toBe(refused('x:a'));
});

test('a field of 10 MB is refused in every format, and the message names the limit', async () => {
  const long = 'x'.repeat(10 * 1024 * 1024);
  const name = { 'Entity.LegalName': long, LEI: lei };
  expect(await refusalOf(csv(['LEI', 'Entity.LegalName'], { LEI: lei }, name))).toBe(
    `line 3, column Entity.LegalName: the value has ${long.length} bytes, but at most ` +
      `${limits.sourceFieldBytesMax} are allowed (limit sourceFieldBytesMax)`,
  );
  expect(await refusalOf(csv(['Entity.LegalName', 'LEI'], name))).toContain(
    'line 2, column Entity.LegalName',
  );
  const record = { LEI: { $: lei }, Entity: { LegalName: { $: long } } };
  expect(await refusalOf(JSON.stringify({ records: [record] }))).toBe(
    `a value in record 1 has ${long.length} characters, but at most ${limits.sourceFieldBytesMax} are allowed ` +
      '(limit sourceFieldBytesMax)',
  );
  for (const content of [
    xml(rr, [record]),
    xml(rr, [{ LEI: { '@type': long } }]),
    xml(rr, [record]).replace(long, `<!--${long}-->`),
    // In pieces, each of which would be allowed.
    xml(rr, [record]).replace(long, `${'x'.repeat(600_000)}<!-- -->`.repeat(2)),
  ]) {
    expect(await refusalOf(content)).toContain('limit sourceFieldBytesMax');
  }
});

test('a record that exceeds the limit is refused, and the message names the limit', async () => {
  const many = Array.from({ length: (2 * limits.sourceRecordBytesMax) / 100_000 }, () => ({
    $: 'x'.repeat(100_000),
  }));
  const record = { LEI: { $: lei }, Filler: many };
  expect(await refusalOf(JSON.stringify({ records: [record] }))).toContain('limit sourceRecordBytesMax');
  expect(await refusalOf(xml(rr, [record]))).toContain('limit sourceRecordBytesMax');
  const quoteOpen = `LEI,ISIN\n"${'x\n'.repeat(limits.sourceRecordBytesMax)}`;
  expect(await refusalOf(quoteOpen)).toBe(
    `the row of line 2 is longer than ${limits.sourceRecordBytesMax} bytes (limit sourceRecordBytesMax); ` +
      'a quote may be missing there',
  );
});

test('a file may be longer than the limit of a record', async () => {
  const filler = Array.from({ length: (0.6 * limits.sourceRecordBytesMax) / 100_000 }, () => ({
    $: 'x'.repeat(100_000),
  }));
  const record = { LEI: { $: lei }, Filler: filler };
  for (const content of [JSON.stringify({ records: [record, record] }), xml(level1, [record, record])])
    expect((await readBytes(content)).rows).toHaveLength(2);
});

test('a record without a valid LEI is unusable in XML and JSON as well', async () => {
  const records = [{ LEI: { $: '097900BID10000147477' } }, { LEI: { $: lei } }, {}];
  for (const content of [JSON.stringify({ records }), xml(level1, records)]) {
    const { rows, rejects } = await readBytes(content);
    expect(rows).toHaveLength(1);
    expect(rejects.map(({ place, column }) => [place.number, column])).toEqual([
      [1, 'LEI'],
      [3, 'LEI'],
    ]);
  }
});

test('a directory, a missing file and an unreadable one are refused', async () => {
  await withFile(isins, async (path) => {
    expect(await refusesTo(join(path, '..'))).toBe('is a directory; name the files in it');
    expect(await refusesTo(`${path}-gone`)).toBe('does not exist');
    expect(await refusesTo(join(path, 'within'))).toBe(
      'does not exist: a part of the path is not a directory',
    );
    await chmod(path, 0o000);
    if (process.getuid?.() === 0) sayNotRun('a file that may not be read: root may read anything');
    else expect(await refusesTo(path)).toBe("can't be read by this user");
    const dangling = `${path}-link`;
    await symlink(`${path}-gone`, dangling);
    expect(await refusesTo(dangling)).toBe('does not exist');
    await mkdir(`${path}-folder`);
    expect(await refusesTo(`${path}-folder`)).toBe('is a directory; name the files in it');
  });
});

test.if(process.platform === 'linux')(
  "a file that the system fails to read is refused with the system's message",
  async () => {
    // A process may open its own memory as a file, but there is nothing at its beginning.
    expect(await refusesTo('/proc/self/mem')).toStartWith("can't be read: ");
  },
);

test('a file that changes between opening and the end of reading is refused', async () => {
  const many = isins + `${lei},US4138382027\n`.repeat(60_000);
  const changed = 'changed while it was read; load it again when nothing writes to it';
  await withFile(many, async (path) => {
    const source = await openSource(path);
    await writeFile(path, `${many}x`);
    expect(source.read(ignored, () => {})).rejects.toThrow(changed);
  });
  await withFile(many, async (path) => {
    const source = await openSource(path);
    let touched: Promise<void> | undefined;
    const touching = {
      ...ignored,
      row: () => {
        touched ??= utimes(path, 1, 1);
      },
    };
    const reading = source.read(touching, () => {}).catch((error: unknown) => error);
    expect(String(await reading)).toContain(changed);
    await touched;
  });
});

test('a file whose content differs from its name is read by its content', async () => {
  const json = await fixtureBytes(`${intraDay}.json.zip`);
  const { source, rows } = await readBytes(json, '20260828-gleif-goldencopy-rr.csv');
  expect(source).toMatchObject({ kind: 'level-1', format: 'json', name: '20260828-gleif-goldencopy-rr.csv' });
  expect(rows).toHaveLength(364);
  expect((await readBytes(await fixtureBytes(goldenCopy), 'a.xml')).source.format).toBe('csv');
});

test('a compressed file within a compressed file, or in another compression, is refused by the name of its format', async () => {
  const within = zip({ name: 'a.zip', content: zip({ name: 'b.csv', content: isins }) });
  expect(await refusalOf(within)).toStartWith('contains data compressed with zip; unpack it first');
  expect(await refusalOf(gzipSync(gzipSync(isins)))).toStartWith(
    'contains data compressed with gzip; unpack it first',
  );
  expect(await refusalOf(zstdCompressSync(isins))).toStartWith(
    'contains data compressed with zstd; unpack it first',
  );
  expect(await refusalOf(Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toBe(
    'is an Excel workbook; GLEIF publishes CSV, XML and JSON',
  );
});

test('lines that end in a carriage return alone are refused, because they would look like one long header', async () => {
  const reason = 'its lines end in a carriage return alone; they must end in LF or CRLF';
  expect(await refusalOf(isins.replaceAll('\n', '\r'))).toBe(reason);
  const published = await fixtureText(`${intraDay}.csv.zip`);
  expect(await refusalOf(published.replaceAll('\n', '\r'))).toBe(reason);
});

test('a row with text behind a closing quote is a bad row, the one before it is kept', async () => {
  const { rows, rejects } = await readBytes(`ISIN,LEI\nUS92204Q1031,${lei}\n"US92204Q1031"x,${otherLei}\n`);
  expect(rows).toEqual([{ kind: 'isin', lei, value: 'US92204Q1031' }]);
  expect(rejects).toEqual([
    {
      place: { unit: 'line', number: 3 },
      column: null,
      reason: 'has text between a closing quote and the next comma',
    },
  ]);
});
