/** The security headers of pages. */

/** Everything comes from the service itself, and nothing is inline. */
const directives: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

/** @param own directives of one page, which replace the common ones of the same name */
export function htmlHeaders(own: Readonly<Record<string, string>> = {}): Record<string, string> {
  const policy = Object.entries({ ...directives, ...own }).map(([name, value]) => `${name} ${value}`);
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}
