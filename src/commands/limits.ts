/** `lei limits`: shows and changes the limits of the whole service, also of a running one. */
import { Value } from '@sinclair/typebox/value';
import { optionOf, type ShownLimits, ShownLimitsSchema, shownLimits } from '../api/service-limits.ts';
import { type ServiceLimitChanges, serviceLimitNames } from '../ports/account-directory.ts';
import type { OpenState } from '../ports/state.ts';
import { controlClient } from '../protocol/control-client.ts';
import { quotaMax, settings } from '../settings/table.ts';
import { type Context, command, limitOrDefault, type Options } from './frame.ts';
import { numberIn } from './options.ts';
import { withAccounts } from './with-state.ts';

const help = `
Without options the command shows the limits. A change applies at once, without a restart, on every node that shares
this state, and until it is taken back: the word default as a value, or --reset for all limits, restores what the
settings say. Accounts with limits of their own (lei accounts limits) keep them.`;

export function limitsCommand(openState: OpenState) {
  const work = withAccounts(openState);
  const built = command(
    'limits',
    'show or change the limits of the whole service, without a restart',
    async (context, _args, options) => {
      const changes = changesIn(options);
      const isChange = Object.keys(changes).length > 0;
      const limits = await work(context, isChange ? 'changes' : 'reads', (accounts) =>
        isChange ? accounts.changeServiceLimits(changes) : accounts.serviceLimits(),
      );
      const shown = (await limitsOfService(context)) ?? shownLimits(context.config, limits);
      context.result(shown, Object.entries(shown).map(line));
    },
  );
  for (const name of serviceLimitNames) {
    const max = name.endsWith('Daily') ? quotaMax.daily : quotaMax.burst;
    const { variable } = settings[name];
    built.option(`--${optionOf(name)} <n>`, `in place of ${variable}`, limitOrDefault(max));
  }
  return built.option('--reset', 'restore every limit of the settings').addHelpText('after', help);
}

/** `--reset` comes first, so that limits beside it are the only ones that are changed. */
function changesIn(options: Options): ServiceLimitChanges {
  const named = serviceLimitNames.filter((name) => options[name] !== undefined);
  const given = named.map((name) => [name, numberIn(options, name)] as const);
  const reset = options['reset'] === true ? serviceLimitNames : [];
  return Object.fromEntries([...reset.map((name) => [name, null] as const), ...given]);
}

/** As a running service reports them: its settings may be others than those of this command. Null if none does. */
export async function limitsOfService({ layout }: Pick<Context, 'layout'>): Promise<ShownLimits | null> {
  const reply = await controlClient(layout).send({ op: 'status' });
  const { limits }: { limits?: unknown } = reply !== 'not-running' && reply.ok ? Object(reply.value) : {};
  return Value.Check(ShownLimitsSchema, limits) ? limits : null;
}

function line([name, { configured, changed }]: [string, ShownLimits[string]]): string {
  const origin = changed === null ? 'configured' : `changed; configured: ${configured}`;
  return `${optionOf(name).padEnd(16)} ${String(changed ?? configured).padStart(8)}  ${origin}`;
}
