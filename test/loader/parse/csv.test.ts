import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { CsvRows } from '../../../src/loader/parse/csv/rows.ts';
import { fieldText } from '../../../src/loader/parse/csv/scanner.ts';

interface Parsed {
  readonly line: number;
  readonly malformed: boolean;
  readonly fields: readonly string[];
}

/** All rows of a text that arrives in chunks of the given size. */
function parse(text: string | Uint8Array, chunkBytes = 1 << 20): Parsed[] {
  const bytes = Buffer.from(text);
  const parsed: Parsed[] = [];
  const rows = new CsvRows(64, (buffer, scanner, line, malformed) => {
    const fields = new Array<string>(scanner.fieldCount).fill('');
    for (let index = 0; index < scanner.filledCount; index++) {
      fields[scanner.columns[index] ?? 0] = fieldText(buffer, scanner, index);
    }
    parsed.push({ line, malformed, fields });
  });
  for (let at = 0; at < bytes.length; at += chunkBytes) rows.push(bytes.subarray(at, at + chunkBytes));
  rows.end();
  return parsed;
}

const fieldsOf = (text: string) => parse(text).map(({ fields }) => fields);

test('quoted and unquoted fields mean the same', () => {
  expect(fieldsOf('a,"b",c\n"1",2,"3"\n')).toEqual([
    ['a', 'b', 'c'],
    ['1', '2', '3'],
  ]);
});

test('rows end in LF, CRLF or the end of the file', () => {
  expect(fieldsOf('a,b\r\n"1","2"\r\n3,4')).toEqual([
    ['a', 'b'],
    ['1', '2'],
    ['3', '4'],
  ]);
});

test('empty fields are empty, quoted or not, at the start, in between and at the end', () => {
  expect(fieldsOf(',,\n"","",""\r\n,"",x\n"",,\n')).toEqual([
    ['', '', ''],
    ['', '', ''],
    ['', '', 'x'],
    ['', '', ''],
  ]);
});

test('a byte order mark is not part of the first field, however it is split', () => {
  for (const chunkBytes of [1, 2, 3, 100]) {
    expect(parse('\uFEFFLEI,ISIN\n', chunkBytes)[0]?.fields).toEqual(['LEI', 'ISIN']);
  }
});

test('quotes within a quoted field are doubled, commas and line feeds are literal', () => {
  expect(fieldsOf('"""UralSib"" JSC","a, b","two\nlines","""",""","""\n')).toEqual([
    ['"UralSib" JSC', 'a, b', 'two\nlines', '"', '","'],
  ]);
});

test('a quote within an unquoted field is an ordinary character', () => {
  expect(fieldsOf('5" pipes,it"s\n')).toEqual([['5" pipes', 'it"s']]);
});

test('white space around a value is dropped, within it is kept, and other spaces are part of it', () => {
  expect(fieldsOf('" a  b ",\tc ,"\u00a0d\u3000 "\n')).toEqual([['a  b', 'c', '\u00a0d\u3000']]);
});

test('lines are counted with those inside quotes and blank ones, which are not rows', () => {
  expect(parse('a\n"1\n2"\n\n\r\nb\n').map(({ line }) => line)).toEqual([1, 2, 6]);
});

test('text behind a closing quote invalidates its row only', () => {
  const rows = parse('"a"x,b\n"c" ,d\n"e",f\n"g"\r,h\ni,"j"\rk\n');
  expect(rows.map(({ malformed }) => malformed)).toEqual([true, true, false, true, true]);
});

test('a quote that is never closed is refused, and the message names the row where it opens', () => {
  expect(() => parse('a,b\n1,"2\n3,4\n')).toThrow(
    'the quoted field that opens in the row of line 2 is never closed',
  );
});

test('bytes that are not UTF-8 are refused, and the message names their line', () => {
  const broken = Buffer.concat([
    Buffer.from('LEI,ISIN\n1,2\n3,M'),
    Buffer.from([0xfc]),
    Buffer.from('nchen\n'),
  ]);
  for (const chunkBytes of [8, 100]) {
    expect(() => parse(broken, chunkBytes)).toThrow('line 3 is not valid UTF-8');
  }
});

test('any table is read back as it was written, in either quoting, line end and chunk size', () => {
  const value = fc
    .array(fc.constantFrom('a', 'Ж', '株', '😀', '"', ',', '\n', '\r\n', 'x', ' '), { maxLength: 6 })
    .map((parts) => parts.join('').replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, ''));
  const quote = (text: string, always: boolean) =>
    always || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const table = fc.array(fc.array(value, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(
      table,
      fc.boolean(),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 12 }),
      (rows, always, lineEnd, chunkBytes) => {
        const text = rows.map((row) => row.map((field) => quote(field, always)).join(',') + lineEnd).join('');
        expect(parse(text, chunkBytes).map(({ fields }) => fields)).toEqual(rows);
      },
    ),
    { numRuns: 300 },
  );
});
