/** URLs in settings and messages: what is one, how a host stands in it, and names and passwords that nobody is to read. */

/** With both slashes, which a reader of URLs would make up for, but not whoever is sent what begins with them. */
export function isHttpUrl(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

/** The zone of an IPv6 address says something on this machine only, and has no place in a URL. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host.replace(/%.*$/, '')}]` : host;
}

export function hasCredentials(value: string): boolean {
  if (!isHttpUrl(value)) return false;
  const { username, password } = new URL(value);
  return username !== '' || password !== '';
}

/** With a name and password in percent-encoding, so that {@link withoutCredentials} knows their end. */
export function encodedCredentials(url: string): string {
  return hasCredentials(url) ? new URL(url).href : url;
}

/**
 * A text without the names and passwords in its URLs: a mirror may ask for them, and whoever reads of a failure must not
 * learn them.
 */
export function withoutCredentials(text: string): string {
  return text.replace(/(https?:\/\/)[^\s/?#"]*@/gi, '$1…@');
}

/** A value that is not as it should be, without what may be a name and password: they may be what is wrong with it. */
export function withoutPerhapsCredentials(value: string): string {
  return value.replace(/^([^@]*?:\/\/)?.*@/s, '$1…@');
}
