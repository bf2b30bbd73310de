/** Tests that addresses of streets are read out behind names, and that names with such words stay. */
import { expect, test } from 'bun:test';
import { withoutStreet } from '../../../src/lei/names/streets.ts';

test('an address behind a comma, a dash or a bracket is read out', () => {
  for (const address of [
    ', 12 Main Street',
    ', Level 3, 12A Main St., Sydney NSW 2000',
    ' - 3/12 High Road',
    ' (12 Main Street)',
    ', 5 rue de la Paix, 75002 Paris',
    ', Via Roma, 12',
    ', Hauptstraße 12, 10115 Berlin',
    ', Am Alten Weg 3',
    ', Kungsgatan 7',
    '; PO Box 12',
  ])
    expect([address, withoutStreet(`Larkmoor AG${address}`)]).toEqual([address, 'Larkmoor AG']);
});

test('a city behind the address stays', () => {
  expect(withoutStreet('Larkmoor AG, 12 Main Street, Sydney')).toBe('Larkmoor AG, Sydney');
});

test('names that have words of addresses stay', () => {
  for (const name of [
    'Larkmoor Street Partners, L.L.C.',
    '12 Larkmoor Street LLC',
    'Larkmoor, 12 Main Street LLC',
    'Larkmoor Trust, Edward Street Trust',
    'Larkmoor Road 12',
  ])
    expect(withoutStreet(name)).toBe(name);
});
