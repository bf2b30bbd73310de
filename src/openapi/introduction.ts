/** Writes the description's introduction: what applies to all operations. */
import type { Config } from '../config.ts';
import { commonHeadersTable } from './headers.ts';

/** The README shows the same example. */
const retryExample = `async function ask(url, init, tries = 3) {
  const answer = await fetch(url, init);
  const seconds = Number(answer.headers.get('retry-after') ?? 1);
  const isTemporary = answer.status === 429 || answer.status === 503;
  if (!isTemporary || seconds > 60 || tries <= 1) return answer;
  await new Promise((resume) => setTimeout(resume, seconds * 1000));
  return ask(url, init, tries - 1);
}`;

/** @param baseUrl without a trailing slash */
export function introduction(config: Config, baseUrl: string): string {
  const { compression, licenseNotice } = config;
  const codings = compression
    ? ' The service compresses bodies over 4 KiB with zstd, br or gzip if the client accepts one of them.'
    : '';
  return [
    'A read-only JSON API. An answer has exactly three members: `data`; `meta`, which names the dataset version; `links`. An error is a problem (RFC 9457, `application/problem+json`). All times are UTC. An absent value is `null`, and an empty list is `[]`; only `links.next` is left out if there is no next page.',
    `## Keys\n\n${keysText(config, baseUrl)}`,
    `## Limits\n\n${limitsText(config)}`,
    '## Pages\n\nIf there are more items, `links.next` is an opaque cursor: pass it as `cursor` with the same other parameters. All pages of one list come from one dataset version, even if the data is updated in the meantime.',
    `## Caching\n\nEvery 200 has an \`ETag\` and \`Last-Modified\`; the service honours \`If-None-Match\` and \`If-Modified-Since\`.${codings}`,
    `## Headers\n\nThese headers come with every answer, so no operation repeats them. The \`RateLimit\` headers come with every answer of a counted operation, errors too.\n\n${commonHeadersTable()}`,
    `## Versions\n\n${versionsText}`,
    `## Licences\n\n${licenseNotice} The pairs of BICs or MICs and LEIs are SWIFT’s tables; the pairs of GEM identifiers and LEIs are Global Energy Monitor’s, under CC BY 4.0. \`meta.licenseNotice\` of each answer holds the notices that its content requires.`,
  ].join('\n\n');
}

/** The introduction to /ext/v1: what differs from /api/v1. @param baseUrl without a trailing slash */
export function extIntroduction(config: Config, baseUrl: string): string {
  return [
    `Operations on many companies at once, beside the API at [${baseUrl}/openapi.json](${baseUrl}/openapi.json). Envelope, problems, conditional requests, pages, keys and headers are the same as there.`,
    'A request costs units of the same quotas: a batch one look-up for each value, every other operation one search. A request that would exceed a limit is refused as a whole and costs nothing. If a batch has more values than one request may have, or than your limits ever allow, the answer is 400 with the maximum that is possible; it costs one.',
    `## Limits\n\n${limitsText(config)}`,
    `## Headers\n\nThese headers come with every answer.\n\n${commonHeadersTable()}`,
    `## Licences\n\n${config.licenseNotice} \`meta.licenseNotice\` of each answer holds the notices that its content requires.`,
  ].join('\n\n');
}

/** The compatibility promise: what a later version may add, and what it never does. */
const versionsText = [
  'Version 1.x may add: operations, optional parameters, headers, types of problems, kinds of items in the change history, members of any object inside `data`, `meta`, `links` and problems, and values of codes that stay as GLEIF publishes them. Ignore members that you do not know, and treat an unknown code as text.',
  'Version 1.x does not remove or rename a member, change its type, make it nullable, or add a value to an `enum` of this description. The envelope keeps its three members.',
].join('\n\n');

function keysText({ signup }: Config, baseUrl: string): string {
  const source = signup
    ? `The [sign-up page](${baseUrl}/signup) makes a free account and shows its first key, once.`
    : 'The operator of this service issues keys.';
  return `A key is optional. ${source} Send it as \`Authorization: Bearer lei_live_…\` and nowhere else; the service ignores a key in the URL. The keys of an account share its quota. For a mistyped, unknown or revoked key, the answer is 401.`;
}

function limitsText(config: Config): string {
  if (config.limitsMode === 'off') return 'This service does not limit requests.';
  const quotas = [
    `Without a key, ${config.anonymousDaily} requests a UTC day for each client address (an IPv6 client is its /64). With a key, ${config.accountDaily} a UTC day over all keys of the account.`,
    `In any minute at most ${config.burstLookup} identifier look-ups (\`lookup\`) and ${config.burstSearch} searches, relationships and changes (\`search\`).`,
    'A 304, 400 or 404 costs one like a 200; 401, 405, 429, 503, preflights and the status endpoint cost nothing of the day.',
    '`RateLimit`, `RateLimit-Policy` and `X-RateLimit-*` show what is left.',
  ].join(' ');
  if (config.limitsMode === 'shadow')
    return `${quotas} This service counts and reports, and does not refuse.`;
  const refusal =
    'Beyond a limit, the answer is 429. Wait for the number of seconds in `Retry-After` before you try again; if `violatedPolicies` names `daily`, that may be until midnight UTC.';
  return [quotas, refusal, `\`\`\`js\n${retryExample}\n\`\`\``].join('\n\n');
}
