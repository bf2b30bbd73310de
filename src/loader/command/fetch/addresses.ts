/** Decides which addresses an update may ask: a publisher's links and redirects may lead to no others. */
import { quoted } from '../../../terminal-text.ts';
import { FetchFailure } from './failures.ts';

/** GLEIF's domain. Its hosts are allowed always. */
const gleifDomain = 'gleif.org';

/** @throws FetchFailure for an address on a host that is neither GLEIF's nor one of the settings' */
export function refuseForeignHost(url: string, hosts: readonly string[]): void {
  const { hostname } = new URL(url);
  if (hostname === gleifDomain || hostname.endsWith(`.${gleifDomain}`) || hosts.includes(hostname)) return;
  throw new FetchFailure(
    'unsafe-address',
    `${url} is on ${hostname}, which is neither a host of GLEIF nor one in the settings. To allow it, add it to LEI_DOWNLOAD_HOSTS.`,
  );
}

/**
 * The address that a link or a Location leads to.
 * @param from the address that gave the link
 * @throws FetchFailure if it is not an http(s) address, or plain http after https
 */
export function followed(link: string, from: string): string {
  const url = URL.canParse(link, from) ? new URL(link, from) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new FetchFailure(
      'unexpected-answer',
      `${from} gives the link ${quoted(link)}, which is not an http(s) address.`,
    );
  }
  const { protocol, origin, username, password } = new URL(from);
  if (protocol === 'https:' && url.protocol === 'http:') {
    throw new FetchFailure(
      'unsafe-address',
      `${from} leads to ${url.href}, which is not encrypted. An https address may lead only to another https address.`,
    );
  }
  // A link on the publisher's own server needs the publisher's user name and password too.
  if (url.origin === origin && url.username === '') Object.assign(url, { username, password });
  return url.href;
}
