/** Reads the settings that are addresses of hosts, servers and stores. */

import { isAbsolute, resolve } from 'node:path';
import { ipAddresses } from '../ip-addresses.ts';
import { quoted } from '../terminal-text.ts';
import { hostInUrl, storeUrl } from '../urls.ts';
import { isListenHost, listed, type ReadValue } from './values.ts';

/** The address of the admin server. */
export type AdminAddress =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'socket'; readonly path: string };

/** Null for no admin server. */
export const adminAddress: ReadValue<AdminAddress | null> = (value, { fault }) => {
  if (value === '') return null;
  const [, bracketed, plain, digits = ''] = /^(?:\[([^\]]*)\]|([^/:]*)):(\d{1,5})$/.exec(value) ?? [];
  const host = bracketed ?? plain;
  if (host !== undefined && isListenHost(host) && Number(digits) <= 65_535)
    return { kind: 'tcp', host, port: Number(digits) };
  if (value.includes('/') && !value.endsWith('/') && !value.includes('://'))
    return { kind: 'socket', path: isAbsolute(value) ? value : resolve(value) };
  fault(
    'host:port, such as 127.0.0.1:3001 or [::1]:3001, or the path of a socket, such as /run/lei/admin.sock',
  );
  return null;
};

/** Returns the default for a wrong host, so that the base URL made of it is not reported as well. */
export function listenHost(standard: string): ReadValue<string> {
  return (value, { fault }) => {
    if (isListenHost(value)) return value;
    fault('an IP address or a host name, without scheme, port or path');
    return standard;
  };
}

/** Valid CIDR ranges or addresses. */
export const networks: ReadValue<readonly string[]> = (value, { fault }) => {
  const ranges = listed(value);
  for (const range of ranges) {
    if (!ipAddresses().isValidCIDR(range) && !ipAddresses().isValid(range))
      fault('addresses or CIDR ranges separated by commas, such as 10.0.0.0/8', range);
  }
  return ranges;
};

/** Host names as in a URL: lower-case, international names encoded, IPv6 addresses in brackets. */
export const hosts: ReadValue<readonly string[]> = (value, { fault }) => {
  const named = listed(value);
  for (const host of named) {
    if (!isHost(host)) fault('host names or addresses separated by commas, without scheme and port', host);
  }
  return named.filter(isHost).map((host) => new URL(`http://${hostInUrl(host)}`).hostname);
};

function isHost(value: string): boolean {
  const isName = !/[/:@?#\s\\]/.test(value) && URL.canParse(`http://${value}`);
  return isName || ipAddresses().isValid(value);
}

/** The store of announced publications; null for none. Messages show only the scheme: the rest may be a password. */
export const publicationSource: ReadValue<string | null> = (value, { fault }) => {
  if (value === '') return null;
  if (storeUrl(value) === null) {
    const scheme = URL.parse(value)?.protocol;
    fault(
      'file:///folder, https://host/folder/ or s3://bucket/prefix',
      scheme === undefined ? value : `${scheme}…`,
    );
  }
  return value;
};

/** The store of a fleet's state; null for none. Messages show only the scheme, as above. */
export const sharedState: ReadValue<string | null> = (value, { fault }) => {
  if (value === '') return null;
  if (!isSharedStateUrl(value)) {
    fault(
      'redis://host:6379/0, or rediss://user:password@host:6379/0 for TLS, with special characters of the password percent-encoded',
      `${URL.parse(value)?.protocol ?? ''}…`,
    );
  }
  return value;
};

/** Whether a text is the address of a Redis or Valkey server, optionally followed by the number of a database. */
export function isSharedStateUrl(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '') return false;
  const plain = /^\/?\d{0,5}$/.test(url.pathname) && url.search === '' && url.hash === '';
  return plain && isDecodable(url.username) && isDecodable(url.password);
}

function isDecodable(encoded: string): boolean {
  try {
    decodeURIComponent(encoded);
    return true;
  } catch {
    return false;
  }
}

/** 0.0.0.0 and its network, and ::. */
const unspecified = /^(?:0(?:\.\d+){3}|\[::\])$/;

/** A service that listens on all addresses does not know which one clients use. Null for any other host. */
export function unreachableHost(host: string, shown: string): string | null {
  if (!unspecified.test(URL.parse(`http://${hostInUrl(host)}`)?.hostname ?? '')) return null;
  return `LEI_HOST is ${quoted(host)}, so links and problem types show ${shown}, which no client can use: set LEI_BASE_URL to the public address.`;
}
