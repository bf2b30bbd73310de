/** Checks URLs and hosts of settings, makes parts of URLs of them, and hides their user names and passwords in messages. */

/** Requires `//`: parsers tolerate its absence, clients may not. */
export function isHttpUrl(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

/** A host as in a URL: an IPv6 address in brackets and without its zone, which only this machine knows. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host.replace(/%.*$/, '')}]` : host;
}

/** The link of an e-mail address or http(s) URL of a contact; null for anything else. */
export function contactLink(value: string): string | null {
  if (/^[^\s@<>"/:?#]+@[^\s@<>"/:?#]+\.[^\s@<>"/:?#.]+$/.test(value)) return `mailto:${value}`;
  return isHttpUrl(value) && !/["<>\s]/.test(value) ? value : null;
}

/** The address of a store of publications: a folder, a folder of a web server, or a bucket; null for anything else. */
export function storeUrl(address: string): URL | null {
  const url = URL.parse(address);
  switch (url?.protocol) {
    case 'http:':
    case 'https:':
      return url;
    case 's3:':
      return url.hostname === '' ? null : url;
    case 'file:':
      return ['', 'localhost'].includes(url.hostname) && url.pathname !== '/' ? url : null;
    default:
      return null;
  }
}

export function hasCredentials(value: string): boolean {
  if (!isHttpUrl(value)) return false;
  const { username, password } = new URL(value);
  return username !== '' || password !== '';
}

/** Percent-encodes the user name and password, so that {@link withoutCredentials} recognises their end. */
export function encodedCredentials(url: string): string {
  return hasCredentials(url) ? new URL(url).href : url;
}

/** Hides the user names and passwords in the URLs of a text, so that readers of a failure do not learn a mirror's. */
export function withoutCredentials(text: string): string {
  return text.replace(/(https?:\/\/)[^\s/?#"]*@/gi, '$1…@');
}

/** Hides everything before an `@` in a malformed value, because the password may be the malformed part. */
export function withoutPerhapsCredentials(value: string): string {
  return value.replace(/^([^@]*?:\/\/)?.*@/s, '$1…@');
}
