import { expect, test } from 'bun:test';
import { withoutEntities } from '../../../src/lei/names/html-entities.ts';

test('entities become the characters that they represent', () => {
  expect(withoutEntities('M&uuml;ller &AMP; S&#246;hne Stra&szlig;enbau&nbsp;GmbH')).toBe(
    'Muller & Söhne Straßenbau GmbH',
  );
  expect(withoutEntities('&#x4E2D;&#22269;')).toBe('中国');
});

test('a text that is not an entity in a name stays as it is', () => {
  for (const text of ['AT&T; Inc.', 'A & B; C', '&#0;&#x110000;&#xD842;&#;', '&unknown;']) {
    expect(withoutEntities(text)).toBe(text);
  }
});
