/** Tests how letters that stand for words find names: together, apart, in any order, and with one missing. */
import { expect, test } from 'bun:test';
import { named, numbered, within } from '../small-index.ts';

const funds = numbered(60, 'Zenobia Fund');

test('initials are found in any order, together or apart', () =>
  within(
    [
      ...numbered(12, 'Zorbia Ventures Lindqvist'),
      ...named('R. T. Lindqvist AB', 'KB Capital', 'Lv Zorbia Ventures'),
    ],
    (index) => {
      for (const q of ['t lindqvist r', 'r lindqvist t', 't r lindqvist', 'tr lindqvist'])
        expect([q, index.find(q)[0]]).toEqual([q, 'R. T. Lindqvist AB']);
      for (const q of ['b capital k', 'b k capital', 'bk capital'])
        expect([q, index.find(q)[0]]).toEqual([q, 'KB Capital']);
      expect(index.find('vl zorbia ventures')[0]).toBe('Lv Zorbia Ventures');
    },
  ));

test('the last of three letters may be an initial, the last of four may not', () =>
  within([...funds, ...named('KW Y Works', 'KWZ X Works', 'Zorbia BT Works')], (index) => {
    expect(index.find('kwy')).toEqual(['KW Y Works']);
    expect(index.find('kwzx')).toEqual([]);
    expect(index.find('zorbiabt')).toEqual(['Zorbia BT Works']);
  }));

test('three letters that were typed one by one may be initials in another order although they are a word', () =>
  within([...funds, ...named('Ccs Trade SRL', 'Scc Quexley Trade ApS')], (index) => {
    for (const typed of ['s c c trade srl', 'S  C\tC trade srl']) {
      expect(index.find(typed)).toEqual(['Ccs Trade SRL', 'Scc Quexley Trade ApS']);
    }
    expect(index.find('scc trade srl')).toEqual(['Scc Quexley Trade ApS']);
  }));

test('letters that were typed one by one may be initials together with one that stands elsewhere, or lack one', () =>
  within([...funds, ...named('R Y S Internacional SA', 'M A F Pension SA')], (index) => {
    for (const typed of ['y s internacional sa r', 'y s internacional sa', 'r s internacional'])
      expect([typed, index.find(typed)]).toEqual([typed, ['R Y S Internacional SA']]);
    expect(index.find('m a pension sa')).toEqual(['M A F Pension SA']);
  }));

test('a single letter may be one of two initials if a company then has all of the question for its name', () =>
  within(
    [
      ...numbered(12, 'R Quexley Foods'),
      ...named('R N Foods', 'Foods R Quexley Ltd', 'Za Bank Ltd', 'A Bank'),
    ],
    (index) => {
      expect(index.find('r foods')[0]).toBe('R N Foods');
      expect(index.find('r foods gmbh')).not.toContain('R N Foods');
      // Here a company has the question for its name, with another form.
      expect(index.find('a bank ltd')[0]).toBe('A Bank');
    },
  ));

test('three letters that are a word may be initials in another order if nothing else fits', () =>
  within([...numbered(12, 'Bcn Trading'), ...named('NCB Capital Markets Limited')], (index) => {
    expect(index.find('b c n capital markets limited')).toEqual(['NCB Capital Markets Limited']);
    expect(index.find('bcn trading')).toHaveLength(12);
  }));

test('letters typed one by one are initials in any order, though they are a word of many names, a whole name or an article', () =>
  within(
    [
      ...numbered(12, 'Skb Trading'),
      ...named(
        'Sbk Trading Ltd',
        'SKB Works GmbH',
        'BSK Works Ltd',
        'Red Larkmoor Limited',
        'Larkmoor Limited',
      ),
    ],
    (index) => {
      expect(index.find('s k b trading ltd')).toContain('Sbk Trading Ltd');
      expect(index.find('s k b works ltd')).toContain('BSK Works Ltd');
      expect(index.find('d e r larkmoor limited')[0]).toBe('Red Larkmoor Limited');
      expect(index.find('der larkmoor limited')[0]).toBe('Larkmoor Limited');
    },
  ));

test('a legal form that was typed letter by letter is the form, not initials', () =>
  within([...numbered(12, 'Skb Trade'), ...named('Skb Trader SA', 'Basf', 'Basfield Ltd')], (index) => {
    expect(index.find('skb trade s a')).toEqual(index.find('skb trade sa'));
    expect(index.find('b a s f')).toEqual(index.find('basf'));
  }));

test('letters that were typed one by one begin no longer word', () =>
  within(
    [...numbered(60, 'Zenobia Works'), ...named('Seiko AG', 'Seimitsu AG', 'IES AG', 'SK Inc.', 'KS GmbH')],
    (index) => {
      expect(index.find('s e i ag')[0]).toBe('IES AG');
      expect(index.find('k s inc.')).toEqual(['KS GmbH', 'SK Inc.']);
    },
  ));
