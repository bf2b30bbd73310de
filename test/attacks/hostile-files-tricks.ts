/**
 * Generates files that could break a load: bombs, lying archives, paths as names, endless and deeply nested texts,
 * wrong counts.
 */
import { gzipSync } from 'node:zlib';
import { type Member, zip } from '../loader/parse/zip.ts';
import { below, pick, type Random } from './attack.ts';

export interface HostileFile {
  /** For the report. */
  readonly what: string;
  readonly content: Uint8Array | string;
  /** True if every load must refuse it; otherwise a load may also end with a sound publication. */
  readonly isRefused?: boolean;
}

export type Trick = (random: Random) => HostileFile;

const mebibyte = 1024 * 1024;

const bics = 'LEI,BIC\n529900W18LQJJN6SJ336,DEUTDEFFXXX\n';
const forged = 'a\u001b[2J\u202eb\u200bc\nlei: All is well.';
const names = [
  ...['../../escaped.csv', '/escaped.csv', '..\\..\\escaped.csv', 'C:\\escaped.csv', 'a\0.csv', ''],
  ...[
    'con',
    '.',
    '..',
    './a.csv',
    'a//b.csv',
    'x'.repeat(60_000),
    forged,
    '\ud800',
    '~/.profile',
    '$(touch escaped)',
  ],
];

/** A zip file with one member and false statements about it. */
function lyingZip(what: string, member: Partial<Member>): Trick {
  return () => ({ what, content: zip({ name: 'a.csv', content: bics, ...member }), isRefused: true });
}

/** A zip file with a changed end record. */
function zipWithEnd(what: string, change: (end: Buffer) => void, isRefused = true): Trick {
  return () => {
    const content = zip({ name: 'a.csv', content: bics });
    change(content.subarray(content.length - 22));
    return { what, content, isRefused };
  };
}

function text(what: string, content: string | Uint8Array): Trick {
  return () => ({ what, content, isRefused: true });
}

const nowhere = 'http://www.gleif.org/data/schema/leidata/2016';
/** Text around the records of a level 1 file. */
function level1(records: string, count = '1', before = ''): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?>${before}<lei:LEIData xmlns:lei="${nowhere}"><lei:LEIHeader>` +
    `<lei:ContentDate>2026-01-23T08:00:00Z</lei:ContentDate><lei:RecordCount>${count}</lei:RecordCount></lei:LEIHeader>` +
    `<lei:LEIRecords>${records}</lei:LEIRecords></lei:LEIData>`
  );
}
const laughs = Array.from(
  { length: 12 },
  (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
).join('');

const ofArchives: readonly Trick[] = [
  () => ({
    what: 'a zip bomb',
    content: zip({ name: 'a', content: new Uint8Array(48 * mebibyte) }),
    isRefused: true,
  }),
  lyingZip('a zip bomb that says it is small', { content: new Uint8Array(48 * mebibyte), size: 1000 }),
  lyingZip('a member that says it is larger than any disk', { size: 0xfffffffe }),
  () => ({ what: 'a gzip bomb', content: gzipSync(new Uint8Array(48 * mebibyte)), isRefused: true }),
  () => ({ what: 'a gzip file in a gzip file', content: gzipSync(gzipSync(bics)), isRefused: true }),
  () => ({
    what: 'a zip file in a zip file',
    content: zip({ name: 'a', content: zip({ name: 'b', content: bics }) }),
    isRefused: true,
  }),
  () => ({
    what: 'two members',
    content: zip({ name: 'a', content: bics }, { name: 'b', content: bics }),
    isRefused: true,
  }),
  () => ({ what: 'no member', content: zip(), isRefused: true }),
  lyingZip('a wrong CRC', { crc: 1 }),
  lyingZip('a wrong size', { size: 3 }),
  lyingZip('an encrypted member', { flags: 1 }),
  lyingZip('a method of packing that nobody knows', { method: 99 }),
  zipWithEnd('60,000 members announced', (end) => void end.writeUInt16LE(60_000, 10)),
  zipWithEnd('a directory behind the end of the file', (end) => void end.writeUInt32LE(0x7fffffff, 16)),
  // The size of the directory is stated twice; a reader may use either statement.
  zipWithEnd('a directory larger than the file', (end) => void end.writeUInt32LE(0x7fffffff, 12), false),
  zipWithEnd('a directory that begins in the directory', (end) => void end.writeUInt32LE(1, 16)),
  (random) => {
    const whole = zip({ name: 'a.csv', content: bics });
    return {
      what: 'a truncated zip file',
      content: whole.subarray(0, below(random, whole.length)),
      isRefused: true,
    };
  },
  (random) => {
    const whole = gzipSync(bics);
    return {
      what: 'a truncated gzip file',
      content: whole.subarray(0, below(random, whole.length)),
      isRefused: true,
    };
  },
  ...names.map(
    (name): Trick =>
      () => ({
        what: `the member name ${JSON.stringify(name.slice(0, 40))}`,
        content: zip({ name, content: bics }),
      }),
  ),
];

const ofTexts: readonly Trick[] = [
  text('nothing', ''),
  text('only NUL', new Uint8Array(mebibyte)),
  text('a NUL in a header', 'LEI\0,BIC\nx,y\n'),
  text('a CSV line without end', `LEI,BIC\n${'a'.repeat(24 * mebibyte)}`),
  text('a quote that is never closed', `LEI,BIC\n"${'a\n'.repeat(12 * mebibyte)}`),
  text('200,000 columns', `${Array.from({ length: 200_000 }, (_, index) => `c${index}`).join(',')}\n`),
  text('a header without rows', 'nothing,of,this\n'),
  text('UTF-16', Buffer.from('\ufeffLEI,BIC\n', 'utf16le')),
  text('Latin-1', Buffer.from('LEI,BIC\n529900W18LQJJN6SJ336,D\xc4UT\n', 'latin1')),
  () => ({
    what: 'rows with NUL, escapes and other lengths',
    content: `${bics}\0,\0\n${forged},x\n,,,,\n"\n`,
  }),
  () => ({ what: 'a million rows of nothing', content: `LEI,BIC\n${',\n'.repeat(mebibyte)}` }),
  text('entities that grow (XML)', level1('<a>&l12;</a>', '1', `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs}]>`)),
  text(
    'a file of this machine as entity',
    level1('&f;', '1', '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>'),
  ),
  text('100,000 elements within each other', level1('<a>'.repeat(100_000))),
  text('an element that is never closed', level1(`<lei:LEIRecord>${'<a>b</a>'.repeat(2 * mebibyte)}`)),
  text('an attribute of 24 MiB', level1(`<a b="${'c'.repeat(24 * mebibyte)}"/>`)),
  text('XML with a NUL', level1('<a>\0</a>')),
  text('XML cut off in its header', level1('').slice(0, 200)),
  (random) => ({
    what: 'a wrong count of records',
    content: level1('', pick(random, ['-1', '99999999999999999999', 'many', '', '1e9', '\u0661'])),
  }),
  text('100,000 brackets within each other (JSON)', `{"records":${'['.repeat(100_000)}`),
  text('a JSON text of 24 MiB that is never closed', `{"records":[{"LEI":{"$":"${'a'.repeat(24 * mebibyte)}`),
  text('JSON that is another thing', '{"__proto__":{"records":1},"records":null}'),
  () => ({
    what: 'JSON of odd records',
    content: '{"records":[null,1,"x",[],{"LEI":{"$":"\\u0000\\ud800"}},{"__proto__":1}]}',
  }),
  (random) => ({
    what: 'noise',
    content: Uint8Array.from({ length: 100_000 }, () => below(random, 256)),
    isRefused: true,
  }),
];

/** Every trick, archives and texts alternating, so that a short attack has some of both. */
export const tricks: readonly Trick[] = ofArchives.flatMap((trick, index) => {
  const other = ofTexts[index];
  return other === undefined ? [trick] : [trick, other];
});
