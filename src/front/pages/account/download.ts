/** `/account/data.json`: everything that the service stores about an account, for its holder. */
import { timestamp } from '../../../lei/dates.ts';
import { dayMs, type QuotaPolicy } from '../../../ports/ledger.ts';
import type { Sent } from '../definition.ts';
import type { AccountView } from './desk.ts';

export function dataFile({ account, keys, usage }: AccountView, policy: QuotaPolicy): Sent {
  const { id, email, company, use, createdAt } = account;
  const data = {
    account: { id, email, company, use, createdAt },
    limits: { daily: policy.daily, lookupsPerMinute: policy.lookup, searchesPerMinute: policy.search },
    keys: keys.map(({ accountId: _, ...key }) => key),
    usage: usage.map(({ day, lookup, search }) => ({
      date: timestamp(new Date(day * dayMs)).slice(0, 10),
      lookups: lookup,
      searches: search,
    })),
  };
  return {
    status: 200,
    contentType: 'application/json',
    body: `${JSON.stringify(data, null, 2)}\n`,
    headers: { 'Content-Disposition': 'attachment; filename="lei-account.json"' },
  };
}
