/** Tests that `lei match` reads files of other encodings than UTF-8. */
import { beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { readBeginning } from '../../src/match-file/read-beginning.ts';
import { readBatches } from '../../src/match-file/read-rows.ts';
import { temporaryFolder } from '../support/folders.ts';
import { runLei } from '../support/lei-here.ts';
import { copiedSample } from '../support/service.ts';
import { contentFiles } from './content-files.ts';

const folder = temporaryFolder('match-encodings');
let dataDir = '';
beforeAll(async () => {
  dataDir = await copiedSample();
});

const fileOf = contentFiles(folder);

const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => utf16le(text).swap16();
/** Of letters that Latin-1 and windows-1252 share. */
const latin = (text: string) => Buffer.from(text, 'latin1');

/** Runs the command over a file with a column of names, `Gesellschaft für Käufer`. */
async function match(content: Uint8Array, ...options: readonly string[]) {
  const file = fileOf(content);
  const out = `${file}.found`;
  const args = ['--name', 'Gesellschaft für Käufer', '--out', out, ...options];
  const { code, stderr } = await runLei(dataDir, 'match', file, ...args);
  return { stderr, written: code === 0 ? readFileSync(out, 'utf8') : null };
}

const header = 'Gesellschaft für Käufer;Straße\r\n';
const table = `${header}Deutsche Bank AG;Große Höhe 1\r\n`;
const expected =
  '\ufeffGesellschaft für Käufer;Straße;lei;matched_name;verdict;score\r\n' +
  'Deutsche Bank AG;Große Höhe 1;7LTWFZYICNSX8D621K86;DEUTSCHE BANK AKTIENGESELLSCHAFT;match;';

test('a file is read in the encoding that --encoding states, and the result is UTF-8 and says so', async () => {
  for (const [content, encoding] of [
    [latin(table), 'windows-1252'],
    [latin(table), 'LATIN1'],
    [latin(`sep=;\r\n${table}`), 'cp1252'],
    [utf16le(table), 'utf-16le'],
    [utf16be(table), 'utf-16be'],
  ] as const) {
    expect((await match(content, '--encoding', encoding)).written).toStartWith(expected);
  }
  const { written } = await match(latin(table), '--encoding', 'windows-1252', '--format', 'ndjson');
  expect(written).toStartWith('{"Gesellschaft für Käufer":"Deutsche Bank AG","Straße":"Große Höhe 1"');
});

test('a byte order mark says the encoding, whatever is stated', async () => {
  for (const content of [
    utf16le(`\ufeff${table}`),
    utf16be(`\ufeff${table}`),
    utf16le(`\ufeffsep=;\r\n${table}`),
    Buffer.from(`\ufeff${table}`),
  ]) {
    expect((await match(content)).written).toStartWith(expected);
    expect((await match(content, '--encoding', 'windows-1252')).written).toStartWith(expected);
  }
});

test('letters of every script are read in the encodings of their countries', async () => {
  const cases = [
    ['windows-1250', '8ca66f3b', 'Ś¦o;'],
    ['windows-1251', 'cecece3b', 'ООО;'],
    ['shift_jis', '8a948eae89ef8ed03b', '株式会社;'],
    ['gbk', 'b9abcbbec3fbb3c63b', '公司名称;'],
    ['big5', 'a4bda5713b', '公司;'],
    ['euc-kr', 'c1d6bdc4c8b8bbe73b', '주식회사;'],
  ] as const;
  for (const [encoding, bytes, text] of cases) {
    const path = fileOf(Buffer.from(`${bytes}41`, 'hex'));
    const { header: read } = readBeginning(path, encoding, ({ length }) => length === 2);
    expect(read?.columns).toEqual([text.slice(0, -1), 'A']);
  }
});

test('characters are read whole where a chunk of the file ends within one, and progress counts bytes of the file', async () => {
  // Each emoji is two units of UTF-16. Behind the byte order mark, one of them lies across each end of a chunk.
  const row = `${'😀'.repeat(500)}\n`;
  const text = `\ufeff😀😀\n${row.repeat(1_500)}`;
  const path = fileOf(utf16le(text));
  const rules = readBeginning(path, null, () => true);
  const bytes: number[] = [];
  let read = '\ufeff';
  for await (const batch of readBatches(path, rules, new AbortController().signal)) {
    bytes.push(batch.bytesRead);
    read += batch.rows.map((each) => `${each.text}\n`).join('');
  }
  expect(read === text).toBe(true);
  expect(bytes).toEqual(bytes.toSorted((one, other) => one - other));
  expect(Math.abs((bytes.at(-1) ?? 0) - utf16le(text).length)).toBeLessThan(10);
});

test('a half of a pair in UTF-16 is one broken character, and not the end of the file', async () => {
  const { written } = await match(utf16le(`\ufeff${header}Deutsche Bank AG;\ud83d\r\nA;\ufffd\r\n`));
  expect(written).toContain('\r\nDeutsche Bank AG;\ufffd;7LTWFZYICNSX8D621K86;');
  expect(written).toContain('\r\nA;\ufffd;');
});

test('a file that has another encoding is refused with the line and the option', async () => {
  const advice =
    'save the file as CSV in UTF-8, or state its encoding: --encoding windows-1252 for CSV of Excel';
  const refused = async (content: Uint8Array, ...options: readonly string[]) =>
    (await match(content, ...options)).stderr;
  expect(await refused(latin(`a\nb\n${table}`))).toContain(`line 3 is not valid UTF-8; ${advice}`);
  expect(await refused(Buffer.from('a\nb\n\xff;\n', 'latin1'), '--encoding', 'shift_jis')).toContain(
    'line 3 is not valid shift_jis; the file is damaged or has another encoding.',
  );
  expect(await refused(utf16le(`\ufeff${table}A;b`).subarray(0, -1))).toContain(
    'line 3 is not valid utf-16le; the file is damaged',
  );
  expect(await refused(utf16le(table))).toContain('line 1 is not valid UTF-8');
  expect(await refused(utf16le('Firma;b\r\nA;b\r\n'))).toContain(
    'line 1 has NUL characters; UTF-16 without a byte order mark is read with --encoding utf-16le.',
  );
  const returns = utf16le(`\ufeff${'Firma;b\r'.repeat(100_000)}`);
  expect(await refused(returns)).toContain('its lines end in a carriage return alone');
});

test('a header of more than the first part of the file may hold no line end in UTF-16', async () => {
  const long = utf16le(`\ufeffCompany;"${'b'.repeat(200_000)}"\r\nA;b\r\n`);
  const rules = readBeginning(fileOf(long), null, () => true);
  expect(rules.header).toBeNull();
});

test('an unknown encoding is wrong usage, and the message names some', async () => {
  const path = fileOf(table);
  const { code, stderr } = await runLei(dataDir, 'match', path, '--name', 'a', '--encoding', 'ansi');
  expect(code).toBe(2);
  expect(stderr).toContain(
    '--encoding is ansi but must be an encoding that browsers know, such as windows-1252',
  );
});
