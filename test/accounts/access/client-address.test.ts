import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { clientAddresses, ignoredForwardedFor } from '../../../src/accounts/access/client-address.ts';
import { accessLimits } from '../../../src/accounts/access/limits.ts';
import { Opened } from '../../support/open-access.ts';

const secret = new Uint8Array(32).fill(7);
const now = Date.UTC(2026, 10, 21);
const addresses = clientAddresses(['10.0.0.0/8', '192.0.2.1', '2001:db8:ffff::/48'], secret, () => {});

const client = (peer: string, forwardedFor: string | null = null) =>
  addresses.subject(peer, forwardedFor, now);
const same = (peer: string, forwardedFor: string | null, as: string) =>
  expect(client(peer, forwardedFor)).toBe(client(as));

describe('the client of a request', () => {
  test('is identified by a keyed hash, which does not reveal the address', () => {
    expect(client('198.51.100.7')).toMatch(/^ip_[A-Za-z0-9_-]{22}$/);
    const elsewhere = clientAddresses([], new Uint8Array(32).fill(8), () => {});
    expect(elsewhere.subject('198.51.100.7', null, now)).not.toBe(client('198.51.100.7'));
  });

  test('is the peer, whatever header an untrusted peer sends', () => {
    for (const forged of ['203.0.113.9', '10.0.0.1', '203.0.113.9, 10.0.0.1', 'junk', '']) {
      same('198.51.100.7', forged, '198.51.100.7');
    }
  });

  test('is the rightmost address that is not a trusted proxy', () => {
    same('10.1.2.3', '203.0.113.9', '203.0.113.9');
    same('10.1.2.3', '198.51.100.1, 203.0.113.9', '203.0.113.9');
    same('10.1.2.3', '198.51.100.1,203.0.113.9 , 10.9.9.9,192.0.2.1', '203.0.113.9');
    same('192.0.2.1', '203.0.113.9', '203.0.113.9');
    same('192.0.2.2', '203.0.113.9', '192.0.2.2');
  });

  test('is the outermost proxy if all are trusted', () => {
    same('10.1.2.3', '10.0.0.1, 10.0.0.2', '10.0.0.1');
    same('10.1.2.3', null, '10.1.2.3');
  });

  test('may be written with a port, in brackets, or both', () => {
    same('10.1.2.3', '203.0.113.9:51234', '203.0.113.9');
    same('10.1.2.3', '[2001:db8::5]:443', '2001:db8::5');
    same('10.1.2.3', '[2001:db8::5]', '2001:db8::5');
    same('10.1.2.3', '2001:db8::5', '2001:db8::5');
    same('10.1.2.3', '203.0.113.9, 10.0.0.1:80, [2001:db8:ffff::1]:80', '203.0.113.9');
  });

  test('is the last valid address before a malformed entry', () => {
    for (const bad of [
      'junk',
      '',
      '1.2.3',
      '1.2.3.4.5',
      '256.1.1.1',
      '0x7f.0.0.1',
      '203.0.113.9:port',
      '[203.0.113.9]',
      '[2001:db8::5',
      '2001:db8::g',
      'unknown',
      '_hidden',
      '203.0.113.9 203.0.113.8',
      'x'.repeat(100_000),
    ]) {
      same('10.1.2.3', `203.0.113.9, ${bad}`, '10.1.2.3');
      same('10.1.2.3', `203.0.113.9, ${bad}, 10.0.0.7`, '10.0.0.7');
      same('10.1.2.3', `${bad}, 203.0.113.9`, '203.0.113.9');
    }
  });

  test('is searched for in a bounded number of entries', () => {
    const proxies = Array.from({ length: accessLimits.forwardedHopsMax + 5 }, (_, i) => `10.7.0.${i}`);
    same('10.1.2.3', ['203.0.113.9', ...proxies].join(','), '10.7.0.5');
  });

  test('is the same for an IPv4 address and its IPv6-mapped form, as peer, proxy and entry', () => {
    same('::ffff:198.51.100.7', null, '198.51.100.7');
    same('::ffff:10.1.2.3', '203.0.113.9', '203.0.113.9');
    same('10.1.2.3', '::ffff:203.0.113.9', '203.0.113.9');
    same('10.1.2.3', '203.0.113.9, ::ffff:10.1.1.1', '203.0.113.9');
  });

  test('is found behind proxies that are configured in IPv6-mapped form', () => {
    const mapped = clientAddresses(['::ffff:192.0.2.1', '::ffff:10.0.0.0/104'], secret, () => {});
    for (const proxy of ['192.0.2.1', '::ffff:192.0.2.1', '10.255.0.1', '::ffff:10.255.0.1']) {
      expect(mapped.subject(proxy, '203.0.113.9', now)).toBe(client('203.0.113.9'));
    }
    expect(mapped.subject('192.0.2.2', '203.0.113.9', now)).toBe(client('192.0.2.2'));
    expect(mapped.subject('11.0.0.1', '203.0.113.9', now)).toBe(client('11.0.0.1'));
  });

  test('is the /64 of an IPv6 address, however it is spelt', () => {
    same('2001:db8:1:2:3:4:5:6', null, '2001:db8:1:2::');
    same('2001:0DB8:0001:0002::ffff', null, '2001:db8:1:2::');
    expect(client('2001:db8:1:3::')).not.toBe(client('2001:db8:1:2::'));
  });

  test('is never trusted if it lies outside every trusted range', () => {
    same('2001:db8:fffe::1', '203.0.113.9', '2001:db8:fffe::1');
    same('2001:db8:ffff::1', '203.0.113.9', '203.0.113.9');
  });

  test('is determined for any text, without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (peer, forwardedFor) => {
        expect(client(peer, forwardedFor)).toMatch(/^ip_/);
        expect(client('10.1.2.3', forwardedFor)).toMatch(/^ip_/);
      }),
    );
  });

  test('does not change with what a client writes to the left of its own address', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (forged) => {
        same('10.1.2.3', `${forged}, 203.0.113.9`, '203.0.113.9');
      }),
    );
  });
});

describe('an ignored X-Forwarded-For', () => {
  test('gets one warning with the address for a private peer, and one without an address for all public ones', () => {
    const warnings: string[] = [];
    const log = { warn: (message: string) => void warnings.push(message) };
    const clients = clientAddresses(['10.0.0.1'], secret, ignoredForwardedFor(log));
    clients.subject('10.0.0.1', '203.0.113.9', now);
    clients.subject('172.16.0.9', null, now);
    expect(warnings).toEqual([]);
    for (const peer of ['198.51.101.7', '172.16.0.9', '172.16.0.10', '8.8.8.8', '2a00:1450::1', 'junk']) {
      clients.subject(peer, '203.0.113.9', now);
    }
    expect(warnings).toEqual([
      expect.stringContaining('X-Forwarded-For from a public address is ignored'),
      expect.stringContaining('X-Forwarded-For from 172.16.0.9 is ignored'),
    ]);
    for (const warning of warnings) expect(warning).toContain('LEI_TRUSTED_PROXIES');
  });

  test('gets a warning if no proxy is trusted, and does not change who the client is', async () => {
    const opened = await Opened.open();
    const direct = opened.ask({ peer: '127.0.0.1' });
    expect(opened.ask({ peer: '127.0.0.1', forwardedFor: '203.0.113.9' }).caller).toBe(direct.caller);
    opened.ask({ peer: '127.0.0.1', forwardedFor: '203.0.113.10' });
    expect(opened.logged.map(({ level }) => level)).toEqual(['warn']);
    expect(opened.logged[0]?.message).toContain('from 127.0.0.1 is ignored');
    await opened.close();
  });
});
