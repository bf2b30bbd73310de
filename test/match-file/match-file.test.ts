/** Tests `lei match` over the bundled sample. */
import { beforeAll, describe, expect, test } from 'bun:test';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { placesOf, refuseClashes } from '../../src/match-file/columns.ts';
import { readBeginning } from '../../src/match-file/read-beginning.ts';
import { readBatches } from '../../src/match-file/read-rows.ts';
import { companiesIn, layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson, runLei } from '../support/lei-here.ts';
import { runLei as runApart } from '../support/run-lei.ts';
import { copiedSample } from '../support/service.ts';
import { contentFiles } from './content-files.ts';

const folder = temporaryFolder('match-file');
const bank = '7LTWFZYICNSX8D621K86';
let dataDir = '';
beforeAll(async () => {
  dataDir = await copiedSample();
});

const fileOf = contentFiles(folder);

/** Runs the command over a file, with `--name Company` by default. */
function match(content: string | Uint8Array, ...options: readonly string[]) {
  const columns = options.includes('--name') || options.includes('--lei') ? [] : ['--name', 'Company'];
  return runLei(dataDir, 'match', fileOf(content), ...columns, ...options);
}

const commas = { encoding: 'utf-8', separator: ',', hasSeparatorLine: false } as const;

test('every row is returned unchanged and in order, with its match', async () => {
  const rows = [
    '1,Deutsche Bnak AG,DE',
    '2,"Zzyxq, ""vvkq"" wwqx\nhhqz",',
    '3,,DE',
    '4,"  DEUTSCHE BANK AG ",Allemagne',
    '5,Deutsche Bank AG,Atlantis',
    '6,Deutsche Bank AG,UK',
  ];
  const path = fileOf(`id,Company,Land\n${rows.join('\r\n')}`);
  const columns = ['--name', 'Company', '--country', 'land'];
  const { code, stdout, stderr } = await runApart(dataDir, 'match', path, ...columns);
  expect(code).toBe(0);
  const name = 'DEUTSCHE BANK AKTIENGESELLSCHAFT';
  expect(stdout.replace(/(?<=,match,)[01][.\d]*/g, '#')).toBe(
    [
      'id,Company,Land,lei,matched_name,verdict,score',
      `${rows[0]},${bank},${name},match,#`,
      `${rows[1]},,,none,0`,
      `${rows[2]},,,none,0`,
      `${rows[3]},${bank},${name},match,#`,
      `${rows[4]},${bank},${name},match,#`,
      `${rows[5]},${bank},${name},match,#`,
      '',
    ].join('\r\n'),
  );
  expect(stderr).toContain('The country of 1 row names none and was ignored: "Atlantis".');
  expect(stderr).toContain('6 rows: 4 match, 0 ambiguous, 2 none.');
});

test('with --safe-cells no cell of the result is a formula for a spreadsheet', async () => {
  const rows = `id,Company,@note\n=1+1,+cmd|' /C calc'!A0,"-2,x"\n@x,Deutsche Bank AG,\n`;
  const { stdout } = await match(rows, '--safe-cells');
  expect(stdout.replace(/0\.\d+/g, '#').split('\r\n')).toEqual([
    "id,Company,'@note,lei,matched_name,verdict,score",
    expect.stringMatching(/^'=1\+1,'\+cmd\|' \/C calc'!A0,"'-2,x",/),
    `'@x,Deutsche Bank AG,,${bank},DEUTSCHE BANK AKTIENGESELLSCHAFT,match,#`,
    '',
  ]);
  expect((await match(rows)).stdout).toContain('\n=1+1,');
});

test('NDJSON has a line for each row, with all columns as members', async () => {
  const out = join(folder, 'found.ndjson');
  const path = fileOf(`\ufefflei,note\n${bank.toLowerCase()},ä\nnonsense,\n`);
  const options = ['--lei', 'lei', '--prefix', 'found_', '--format', 'ndjson', '--out', out];
  const { code, json } = await leiJson(dataDir, 'match', path, ...options);
  expect({ code, json }).toMatchObject({
    code: 0,
    json: { format: 'ndjson', path: out, rows: 2, match: 1, ambiguous: 0, none: 1 },
  });
  const [first, second, ...rest] = readFileSync(out, 'utf8').split('\n');
  expect(JSON.parse(first ?? '')).toEqual({
    lei: bank.toLowerCase(),
    note: 'ä',
    found_lei: bank,
    found_matched_name: 'DEUTSCHE BANK AKTIENGESELLSCHAFT',
    found_verdict: 'match',
    found_score: 1,
  });
  expect(JSON.parse(second ?? '')).toMatchObject({ found_lei: null, found_verdict: 'none', found_score: 0 });
  expect(rest).toEqual(['']);
});

test('empty cells of a file with one column, short rows and the byte order mark stay', async () => {
  const written = (name: string) => readFileSync(join(folder, name), 'utf8');
  const out = (name: string) => ['--out', join(folder, name)];
  await match('\ufeffCompany\nDeutsche Bank AG\n\n""\nXqzvwk\n', ...out('one.csv'));
  expect(
    written('one.csv')
      .split('\r\n')
      .map((line) => line.split(',')[0]),
  ).toEqual(['\ufeffCompany', 'Deutsche Bank AG', '', '""', 'Xqzvwk', '']);
  const rows = 'id,Company,note\n1,Deutsche Bank AG\n\n2,Xqzvwk,b\n';
  const { stderr } = await match(rows, '--bom', ...out('short.csv'));
  expect(written('short.csv').startsWith('\ufeffid,Company,note,lei,')).toBe(true);
  expect(written('short.csv')).toContain(`\r\n1,Deutsche Bank AG,,${bank},`);
  expect(written('short.csv')).toContain('\r\n2,Xqzvwk,b,,,none,0\r\n');
  expect(stderr).toContain('1 row with fewer fields than the header');
});

test('fields are separated by what separates the sought columns in the header, also in the result', async () => {
  const header = ['Company', 'Nr', 'Net sales, EUR', 'Land | "Country"'];
  const row = ['Deutsche Bank AG', '1', '1,5; 2', 'Deutschland'];
  for (const separator of [',', ';', '\t', '|']) {
    const lineOf = (cells: readonly string[]) =>
      cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator);
    const content = `\ufeff${lineOf(header)}\r\n${lineOf(row)}\r\n`;
    for (const safe of [[], ['--safe-cells']]) {
      const { stdout } = await match(content, ...safe);
      const lines = stdout.split('\r\n');
      expect(lines[0]).toEndWith(['', 'lei', 'matched_name', 'verdict', 'score'].join(separator));
      const found = ['', bank, 'DEUTSCHE BANK AKTIENGESELLSCHAFT', 'match', ''];
      expect(lines[1]).toContain(found.join(separator));
      expect(lines).toHaveLength(3);
    }
  }
  const plain = await match('Nr;Company;Net, EUR\n1;Deutsche Bank AG\n');
  expect(plain.stdout).toContain(`\r\n1;Deutsche Bank AG;;${bank};`);
  const unknown = await match('Nr;Firm;Net, EUR\n1;A;2,5\n');
  expect(unknown.stderr).toContain('line 1 has no column Company; its columns are Nr, Firm, Net, EUR.');
});

test('a first line that names the separator is no row, and begins the result unless a byte order mark does', async () => {
  // A name may hold a comma, and without the first line the comma would give more columns.
  const content = 'Company;A,B,C\r\nDeutsche Bank AG;1\r\n';
  const header = 'Company;A,B,C;lei;matched_name;verdict;score\r\n';
  for (const line of ['sep=;\r\n', 'SEP=;\n', '"sep=;"\r\n']) {
    const { stdout } = await match(line + content);
    expect(stdout).toStartWith(`sep=;\r\n${header}Deutsche Bank AG;1;${bank};`);
    expect(stdout.split('\r\n')).toHaveLength(4);
  }
  expect((await match(`sep=;\n${content}`, '--bom')).stdout).toStartWith(`\ufeff${header}`);
  expect((await match(`\ufeffsep=;\n${content}`)).stdout).toStartWith(`\ufeff${header}`);
  expect((await match(`sep=;\n${content}`, '--format', 'ndjson')).stdout).toStartWith('{"Company":');
  const otherwise = await match(`sep=,\n${content}`);
  expect(otherwise.stderr).toContain('line 2 has no column Company; its columns are Company;A, B, C.');
  const unknown = await match('sep=^\nCompany^Land\n');
  expect(unknown.stderr).toContain(
    'line 1 says that "^" separates the fields, which must be a comma, a semicolon, a tab or a bar.',
  );
  expect((await match('sep=;')).stderr).toContain('is empty; its first line must hold the names');
});

test('empty fields after the last column are left out', async () => {
  for (const surplus of [';;', ';"";', '; ;""', ';']) {
    const { code, stdout } = await match(
      `Company;Land\r\n"Deutsche Bank AG";""${surplus}\r\n;${surplus}\r\n`,
    );
    expect([code, stdout.replaceAll(/0\.\d+/g, '#').split('\r\n')]).toEqual([
      0,
      [
        'Company;Land;lei;matched_name;verdict;score',
        `"Deutsche Bank AG";"";${bank};DEUTSCHE BANK AKTIENGESELLSCHAFT;match;#`,
        ';;;;none;0',
        '',
      ],
    ]);
  }
  const one = await match('Company\tLand\nDeutsche Bank AG\tDE\t\t\n', '--format', 'ndjson');
  expect(Object.keys(JSON.parse(one.stdout))).toEqual([
    'Company',
    'Land',
    'lei',
    'matched_name',
    'verdict',
    'score',
  ]);
  const full = await match('Company;Land\nA;DE;;x;\n');
  expect(full.stderr).toContain('line 2 has 5 fields where the header has 2; a field with a semicolon');
});

test('rows without any content before the header are left out, and count as lines', async () => {
  const rows = 'Company;Land\r\nDeutsche Bank AG;DE\r\n';
  for (const before of ['\r\n\r\n', ';;;\r\n"";" "\r\n', '\n;\n']) {
    const { stdout } = await match(before + rows);
    expect(stdout).toStartWith('Company;Land;lei;');
    const { stderr } = await match(before + rows, '--name', 'Firma');
    expect(stderr).toContain('line 3 has no column Firma; its columns are Company, Land.');
    const clash = await match(before + rows.replace('Land', 'lei'));
    expect(clash.stderr).toContain('line 3 has a column lei already');
  }
});

test('with --decimal-comma the score is a number for spreadsheets whose decimal sign is a comma', async () => {
  const row = 'Deutsche Bnk AG;1.5\n';
  const { stdout } = await match(`Company;b\n${row}`, '--decimal-comma');
  expect(stdout).toMatch(/\r\nDeutsche Bnk AG;1\.5;.*;match;0,\d+\r\n$/);
  const quoted = await match(`Company,b\n${row.replace(';', ',')}`, '--decimal-comma', '--safe-cells');
  expect(quoted.stdout).toMatch(/,match,"0,\d+"\r\n$/);
});

test('an LEI is read with spaces and in small letters, and counted if it is none', async () => {
  const spaced = bank.toLowerCase().replace(/(.{4})/g, '$1 ');
  const { stdout, stderr } = await match(
    `lei\n${spaced}\nLEI: ${bank}\nABC\n`,
    '--lei',
    'lei',
    '--prefix',
    'x_',
  );
  expect(stdout.split(`,${bank},`).length).toBe(3);
  expect(stderr).toContain(
    'The LEI of 1 row can\'t be read or has wrong check digits, and was ignored: "ABC".',
  );
});

test('hundreds of rows keep their order across all threads', async () => {
  const count = 320;
  const names = ['Deutsche Bank AG', 'Xqzvwk', ''];
  const lines = Array.from({ length: count }, (_, row) => `${row},${names[row % names.length]}`);
  const { code, stdout } = await match(`id,Company\n${lines.join('\n')}\n`);
  expect(code).toBe(0);
  const answered = stdout.trimEnd().split('\r\n').slice(1);
  expect(answered.map((line) => line.slice(0, line.indexOf(',')))).toEqual(
    lines.map((_, row) => String(row)),
  );
  const verdicts = new Set(answered.map((line, row) => `${row % names.length} ${line.split(',').at(-2)}`));
  expect([...verdicts].sort()).toEqual(['0 match', '1 none', '2 none']);
});

test('the bytes of a batch are those up to its last row, so that progress is that of the matching', async () => {
  const content = `Company\n${'A\n\n'.repeat(100)}`;
  const bytes: number[] = [];
  for await (const { bytesRead } of readBatches(fileOf(content), commas, new AbortController().signal)) {
    bytes.push(bytesRead);
  }
  expect(bytes.length).toBeGreaterThan(5);
  expect(bytes).toEqual([...new Set(bytes)].toSorted((one, other) => one - other));
  expect(bytes.at(-1)).toBe(content.length);
});

describe('a malformed CSV file is refused with the line or the format', () => {
  const bad: readonly (readonly [what: string, content: string | Uint8Array, message: string])[] = [
    [
      'an open quote',
      'Company\nA\n"B\nC\n',
      'the quoted field that opens in the row of line 3 is never closed',
    ],
    [
      'text after a quote',
      'Company,b\nA,"b" c\n',
      'line 2 has text between a closing quote and the next comma; a field that begins with a quote must be in quotes',
    ],
    [
      'a field too many',
      'Company,b\nA,b\nB,c,d\n',
      'line 3 has 3 fields where the header has 2; a field with a comma in it must be in quotes',
    ],
    [
      'Latin-1',
      Buffer.from('Company\nA\nM\xfcller\n', 'latin1'),
      'line 3 is not valid UTF-8; save the file as CSV in UTF-8',
    ],
    [
      'a workbook',
      Buffer.from('PK\u0003\u0004xl/'),
      'is a ZIP archive, such as an Excel workbook; save the sheet',
    ],
    [
      'an old workbook',
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      'is an Excel workbook; save the sheet as CSV',
    ],
    ['a packed file', Bun.gzipSync('Company\nA\n'), 'is compressed with gzip; unpack it first'],
    [
      'a file of another packer',
      Bun.zstdCompressSync('Company\nA\n'),
      'is compressed with zstd; unpack it first',
    ],
  ];
  test.each(bad)('%s', async (_, content, message) => {
    const readAll = async () => {
      const path = fileOf(content);
      const rules = readBeginning(path, null, () => true);
      for await (const { rows } of readBatches(path, rules, new AbortController().signal)) void rows;
    };
    await expect(readAll()).rejects.toThrow(message);
  });

  test('an unknown column', async () => {
    const out = join(folder, 'bad.csv');
    const { code, stderr } = await match('Firm,b\nA,b\n', '--out', out);
    expect([code, existsSync(out), existsSync(`${out}.unfinished`)]).toEqual([1, false, false]);
    expect(stderr).toMatch(/rows-\d+\.csv: line 1 has no column Company; its columns are Firm, b\.$/m);
    const title = await match('Customers 2026\nNr;Company\n1;A\n');
    expect(title.stderr).toContain('line 1 has no column Company; its columns are Customers 2026.');
  });

  test('lines that end in a carriage return alone', async () => {
    const rows = '1,A,DE\r2,B,DE\r';
    // The second file has more fields than a row may have, and the third has more bytes.
    for (const content of [rows, rows.repeat(2_000), rows.repeat(2_000_000)]) {
      const { code, stdout, stderr } = await match(`id,Company,Land\r${content}`);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain('its lines end in a carriage return alone; they must end in LF or CRLF');
    }
    expect((await match('"id\r\nno.",Company\r\n1,A\r\n')).code).toBe(0);
  });

  test('a repeated column, a column that the output adds, and a title in place of the header', () => {
    const columns = { name: 'Company', country: null, city: null, registrationNumber: null, lei: null };
    const header = (...names: readonly string[]) => ({ columns: names, line: 3 });
    expect(() => placesOf(header('Company', 'Company'), columns)).toThrow(
      'line 3 names the column Company twice',
    );
    expect(() => placesOf(header('Customers 2026', '', ''), columns)).toThrow(
      /^line 3 has no column Company; its columns are Customers 2026$/,
    );
    expect(placesOf(header('b', 'company'), columns).name).toBe(1);
    const many = Array.from({ length: 42 }, (_, column) => `c${column}`);
    expect(() => placesOf(header(...many), columns)).toThrow(/are c0, c1, .*, c39, and 2 more$/);
    expect(() => placesOf(header('Firm\n(Kunde)', 'b'), columns)).toThrow('its columns are Firm (Kunde), b');
    const inTwoLines = header('b', 'Company\n(Kunde)');
    expect(placesOf(inTwoLines, { ...columns, name: 'company (kunde)' }).name).toBe(1);
    expect(() => refuseClashes(header('Company', 'score'), ['score'], false)).toThrow(
      'line 3 has a column score already',
    );
    expect(() => refuseClashes(header('a', 'a'), ['score'], true)).toThrow(
      "line 3 names the column a twice, which NDJSON can't hold",
    );
    expect(() => refuseClashes(header('a', '', ''), ['score'], true)).toThrow(
      "line 3 has two columns without a name, which NDJSON can't hold",
    );
    refuseClashes(header('a', 'a'), ['score'], false);
  });

  test('a field of a gigabyte', async () => {
    const path = fileOf('');
    const file = openSync(path, 'w');
    writeSync(file, 'Company\nA\n"');
    // A hole reads as NUL bytes and takes no room on the disk.
    writeSync(file, 'x', 1024 ** 3);
    closeSync(file);
    const { code, stderr } = await runLei(dataDir, 'match', path, '--name', 'Company');
    expect(code).toBe(1);
    expect(stderr).toMatch(/the row of line 3 is longer than 16777216 bytes .* a quote may be missing there/);
  });
});

test('wrong usage gets a message that says what is allowed', async () => {
  const path = fileOf('Company\nA\n');
  const link = join(folder, 'link.csv');
  symlinkSync(path, link);
  const ownFile = '--out must be a different file from the one that is read';
  const cases: readonly (readonly [readonly string[], number, string])[] = [
    [[path], 2, 'by: --name, --registration-number or --lei. The file has the columns Company.'],
    [[path, '--name', 'Company', '--name', 'b'], 2, 'A row is matched by one column of each kind.'],
    [[path, '--name', 'Company', '--decimal-comma', '--format', 'ndjson'], 2, 'is for --format csv'],
    [[path, '--name', 'Company', '--out', path], 2, ownFile],
    [[path, '--name', 'Company', '--out', link], 2, ownFile],
    [[link, '--name', 'Company', '--out', path], 2, ownFile],
    [[join(folder, 'absent.csv'), '--name', 'Company'], 1, 'absent.csv is not a file'],
  ];
  for (const [args, code, message] of cases) {
    const ran = await runLei(dataDir, 'match', ...args);
    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(message);
  }
  const nothing = await match('');
  expect([nothing.code, nothing.stderr]).toEqual([
    1,
    expect.stringContaining('is empty; its first line must hold the names of the columns'),
  ]);
  const empty = await runLei(temporaryFolder('empty'), 'match', path, '--name', 'Company');
  expect([empty.code, empty.stderr]).toEqual([
    1,
    expect.stringContaining('No publication is active. Load data with'),
  ]);
});

test('a publication that this program cannot read is refused with that reason', async () => {
  const damagedDir = await copiedSample();
  const id = readPointer(layout(damagedDir))?.id ?? '';
  const path = companiesIn(layout(damagedDir).publication(id));
  // The same length as before, because the manifest's length is checked first.
  const damaged = readFileSync(path).fill('x', 0, 64);
  rmSync(path);
  writeFileSync(path, damaged);
  const ran = await runLei(damagedDir, 'match', fileOf('Company\nA\n'), '--name', 'Company');
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain(`${path} `);
});

test('the rows of any table are read once each, in order', async () => {
  const cell = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('"', ',', '\n', '\r\n', 'ü'));
  const tables = fc
    .integer({ min: 2, max: 4 })
    .chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 80 }),
    );
  await fc.assert(
    fc.asyncProperty(tables, async (table) => {
      const quoted = table.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(','));
      const read: string[] = [];
      for await (const { rows } of readBatches(
        fileOf(quoted.join('\n')),
        commas,
        new AbortController().signal,
      )) {
        read.push(...rows.map(({ text }) => text));
      }
      expect(read).toEqual(quoted.filter((_, row) => !isBlank(table[row] ?? [])));
    }),
    { numRuns: 60 },
  );
});

/** A row of one empty field is a blank line. */
function isBlank(row: readonly string[]): boolean {
  return row.length === 1 && row[0] === '';
}
