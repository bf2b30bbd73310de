import { heapStats } from 'bun:jsc';
import { expect, test } from 'bun:test';
import { XmlNames } from '../../../src/loader/parse/xml/names.ts';

test('a file in which every element has another name is resolved without keeping all names', () => {
  const names = new XmlNames();
  names.open({ xmlns: 'urn:outer', 'xmlns:in': 'urn:inner' });
  Bun.gc(true);
  const before = heapStats().heapSize;
  for (let number = 0; number < 200_000; number++) names.element(`in:element${number}`);
  Bun.gc(true);
  expect(heapStats().heapSize - before).toBeLessThan(5e6);
  expect(names.element('in:element199999')).toEqual({ uri: 'urn:inner', local: 'element199999' });
  expect(names.element('element')).toEqual({ uri: 'urn:outer', local: 'element' });
});
