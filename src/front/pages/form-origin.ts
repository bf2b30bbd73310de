/** Tells the forms of this service from those that another site lets its visitors send. */

/**
 * Every browser tells where a form was sent from: by Origin, older ones at least by Referer, most by Sec-Fetch-Site, too.
 * A form with neither Origin nor Referer comes from a program, which no page of another site can make a visitor run.
 * @param baseUrl the service's public address
 * @returns a sentence for the sender, whose form is answered 403; null for a form of this service or of a program
 */
export function formOriginFault(headers: Headers, baseUrl: string): string | null {
  const source = headers.get('origin') ?? headers.get('referer');
  const site = headers.get('sec-fetch-site');
  const isForeign = site === 'cross-site' || site === 'same-site';
  if (isForeign || (source !== null && !isOwn(source, headers.get('host'), baseUrl))) {
    return 'It was sent from another site. Use the form of this one.';
  }
  return null;
}

/** Whether a URL is on the host that the browser asked, or below the public address. `null` is no URL. */
function isOwn(source: string, host: string | null, baseUrl: string): boolean {
  if (!URL.canParse(source)) return false;
  const url = new URL(source);
  return url.origin === new URL(baseUrl).origin || url.host === host?.toLowerCase();
}
