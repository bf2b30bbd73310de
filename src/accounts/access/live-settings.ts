/** The settings of one front, of which an operator can change the limits while the service runs (`lei limits`). */
import type { Config } from '../../config.ts';
import { type ServiceLimits, serviceLimitNames } from '../../ports/account-directory.ts';

interface LiveSettings {
  /** Always holds the current limits; read them when they are needed. */
  readonly config: Config;
  /** Applies the changed limits; all others are the configured ones again. @returns whether this changes any */
  adopt(limits: ServiceLimits): boolean;
}

export function liveSettings(configured: Config): LiveSettings {
  const config = { ...configured };
  return {
    config,
    adopt(limits) {
      const next = { ...configured, ...limits };
      const isChange = serviceLimitNames.some((name) => next[name] !== config[name]);
      Object.assign(config, next);
      return isChange;
    },
  };
}
