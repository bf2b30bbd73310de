/** `lei accounts usage`: shows what each account has used, today and in the last 30 days. */
import type { Account } from '../ports/account-directory.ts';
import type { OpenState, State } from '../ports/state.ts';
import { type DayUsage, usageDays } from '../ports/state.ts';
import { type Context, command } from './frame.ts';
import { findAccount } from './with-state.ts';

/** Units of an account: each look-up and each search costs one or more. */
interface AccountUsage {
  readonly account: { readonly id: string; readonly email: string; readonly company: string };
  readonly today: UsageUnits;
  /** Today included. */
  readonly last30Days: UsageUnits;
  /** The days with usage (UTC, `YYYY-MM-DD`), earliest first. */
  readonly days: readonly (UsageUnits & { readonly date: string })[];
}

interface UsageUnits {
  readonly lookup: number;
  readonly search: number;
}

export function usageCommand(openState: OpenState) {
  const text = `show what each account has used today and in the last ${usageDays} days, the busiest first; for one account, also by day`;
  return command('usage', text, async (context, [account]) => {
    const state = await openState(context.config, 'command');
    try {
      await show(context, state, account);
    } finally {
      await state.close();
    }
  }).argument('[account]', 'id or e-mail address of one account');
}

async function show(context: Context, state: State, only: string | undefined): Promise<void> {
  const accounts =
    only === undefined
      ? state.accounts.list().map(({ account }) => account)
      : [findAccount(state.accounts, only)];
  const today = Math.floor(Date.now() / dayMs);
  const used: AccountUsage[] = [];
  for (const account of accounts) used.push(usageOf(account, await state.usage.of(account.id, today), today));
  const busiest = used.toSorted((a, b) => total(b.last30Days) - total(a.last30Days));
  const lines = busiest.flatMap((one) => [
    accountLine(one),
    ...(only === undefined ? [] : one.days.map(dayLine)),
  ]);
  context.result(busiest, lines.length === 0 ? 'There are no accounts.' : lines);
}

const dayMs = 86_400_000;

function usageOf({ id, email, company }: Account, days: readonly DayUsage[], today: number): AccountUsage {
  return {
    account: { id, email, company },
    today: sumOf(days.filter(({ day }) => day === today)),
    last30Days: sumOf(days),
    days: days.map(({ day, lookup, search }) => ({
      date: new Date(day * dayMs).toISOString().slice(0, 10),
      ...{ lookup, search },
    })),
  };
}

function sumOf(days: readonly UsageUnits[]): UsageUnits {
  const sum = (kind: keyof UsageUnits) => days.reduce((units, day) => units + day[kind], 0);
  return { lookup: sum('lookup'), search: sum('search') };
}

function total({ lookup, search }: UsageUnits): number {
  return lookup + search;
}

function accountLine({ account: { id, email, company }, today, last30Days }: AccountUsage): string {
  const used = [`today ${total(today)}`, `last ${usageDays} days ${unitsText(last30Days)}`];
  return [id, email, company, ...used].join('  ');
}

function dayLine({ date, ...units }: AccountUsage['days'][number]): string {
  return `  ${date}  ${unitsText(units)}`;
}

function unitsText(units: UsageUnits): string {
  return `${total(units)} (look-ups ${units.lookup}, searches ${units.search})`;
}
