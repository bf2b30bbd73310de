/** Finds the address that a request comes from and names it by a keyed hash, so that no address is ever kept. */
import { createHmac } from 'node:crypto';
import { type IpAddress, type Ipv6Address, ipAddresses } from '../../ip-addresses.ts';
import type { Log } from '../../log/log.ts';
import { Recall } from './key-ring.ts';
import { accessLimits } from './limits.ts';

/** Read at the start: while connections take all descriptors, no file can be read. */
const ipaddr = ipAddresses();

type Range = readonly [IpAddress, number];

/** An IPv6 client is a /64: a household or a server has at least that much. */
const ipv6ClientGroups = 4;
/** A network is the largest range that one customer of a provider usually has: an IPv4 /24, an IPv6 /48. */
const ipv4NetworkBytes = 3;
const ipv6NetworkGroups = 3;

interface ClientAddresses {
  /**
   * `ip_` and 22 characters that identify the client: the socket's peer, or behind a trusted proxy the rightmost
   * address of `X-Forwarded-For` that is not a trusted proxy. Never throws, whatever the texts contain.
   */
  subject(peer: string, forwardedFor: string | null, now: number): string;
  /** `net_` and 22 characters that identify the client's network. */
  network(peer: string, forwardedFor: string | null, now: number): string;
}

/** @param ignored receives the peer whenever its `X-Forwarded-For` is ignored because it is not a trusted proxy */
export function clientAddresses(
  trustedProxies: readonly string[],
  secret: Uint8Array,
  ignored: (peer: string) => void,
): ClientAddresses {
  const trusted = trustedProxies.map(parseRange);
  const names = remembering<string>((text) => `ip_${hashed(canonical(text), secret)}`);
  const proxies = remembering<boolean>((text) => isTrusted(parseAddress(text), trusted));
  const addressOf = (peer: string, forwardedFor: string | null, now: number) => {
    if (forwardedFor === null) return peer;
    if (trusted.length > 0 && proxies(peer, now)) return walk(peer, forwardedFor, trusted);
    ignored(peer);
    return peer;
  };
  return {
    subject: (peer, forwardedFor, now) => names(addressOf(peer, forwardedFor, now), now),
    network: (peer, forwardedFor, now) =>
      `net_${hashed(networkOf(addressOf(peer, forwardedFor, now)), secret)}`,
  };
}

/** @returns whether an address, as the hexadecimal digits of its bytes, is a trusted proxy's */
export function proxyTest(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = trustedProxies.map(parseRange);
  return (address) => isTrusted(ofBytes(Buffer.from(address, 'hex')), trusted);
}

function ofBytes(bytes: Buffer): IpAddress {
  const address = ipaddr.fromByteArray([...bytes]);
  return ipaddr.process(address.toString());
}

/** From the right, past trusted proxies, to the first other address. */
function walk(peer: string, forwardedFor: string, trusted: readonly Range[]): string {
  let good = peer;
  let end = forwardedFor.length;
  for (let hop = 0; hop < accessLimits.forwardedHopsMax && end >= 0; hop++) {
    const comma = forwardedFor.lastIndexOf(',', end - 1);
    const entry = forwardedFor.slice(comma + 1, end).trim();
    const address = parseEntry(entry);
    if (address === null) return good;
    good = address.toString();
    if (!isTrusted(address, trusted)) return good;
    end = comma;
  }
  return good;
}

/**
 * Warns of ignored `X-Forwarded-For` once for each peer in a private network, which may be the operator's own balancer,
 * and once for all others, whose addresses are never logged.
 */
export function ignoredForwardedFor(log: Pick<Log, 'warn'>): (peer: string) => void {
  const warned = new Set<string>();
  return (peer) => {
    if (warned.size === 2) return;
    const address = parseAddress(peer);
    const shown = address === null || address.range() === 'unicast' ? 'a public address' : address.toString();
    const kind = shown === 'a public address' ? 'public' : 'private';
    if (warned.has(kind)) return;
    warned.add(kind);
    log.warn(
      `X-Forwarded-For from ${shown} is ignored, since that address is not a trusted proxy: all clients behind it share one quota. If it is your proxy or balancer, name it in LEI_TRUSTED_PROXIES.`,
    );
  };
}

/** `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`. */
function parseEntry(entry: string): IpAddress | null {
  if (entry.length > accessLimits.addressCharactersMax) return null;
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(entry)?.[1];
  if (bracketed !== undefined) return bracketed.includes(':') ? parseAddress(bracketed) : null;
  const withPort = /^([\d.]+):\d{1,5}$/.exec(entry)?.[1];
  return parseAddress(withPort ?? entry);
}

/** An address in its usual spelling. The library would also take `0x7f.1`, which no proxy writes. */
function parseAddress(text: string): IpAddress | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!text.includes(':') || !ipaddr.IPv6.isValid(text)) return null;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function parseRange(text: string): Range {
  if (!text.includes('/')) {
    const address = ipaddr.process(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  }
  const [address, bits] = ipaddr.parseCIDR(text);
  const mapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96;
  return mapped ? [address.toIPv4Address(), bits - 96] : [address, bits];
}

function isTrusted(address: IpAddress | null, trusted: readonly Range[]): boolean {
  if (address === null) return false;
  return trusted.some(([range, bits]) => address.kind() === range.kind() && address.match(range, bits));
}

/** One text per client: the IPv4 address, or the first 64 bits of the IPv6 address. */
function canonical(text: string): string {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return text;
  const address = parseAddress(text);
  if (address === null) return text;
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${ipv6Prefix(address, ipv6ClientGroups)}::/64`;
}

function networkOf(text: string): string {
  const address = parseAddress(text);
  if (address === null) return text;
  if (address instanceof ipaddr.IPv6) return `${ipv6Prefix(address, ipv6NetworkGroups)}::/48`;
  return `${address.octets.slice(0, ipv4NetworkBytes).join('.')}.0/24`;
}

function ipv6Prefix({ parts }: Ipv6Address, groups: number): string {
  return parts
    .slice(0, groups)
    .map((group) => group.toString(16))
    .join(':');
}

function hashed(text: string, secret: Uint8Array): string {
  return createHmac('sha256', secret).update(text).digest('base64url').slice(0, 22);
}

/** Caches the results of a function for a while. */
function remembering<Result>(compute: (text: string) => Result): (text: string, now: number) => Result {
  const recall = new Recall<Result>();
  return (text, now) => {
    const known = recall.get(text, now);
    if (known !== undefined) return known;
    const result = compute(text);
    recall.set(text, result, now);
    return result;
  };
}
