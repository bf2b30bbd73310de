/** Makes the transport of a real update: the settings' hosts, the system's clock and timers. */
import { setTimeout as wait } from 'node:timers/promises';
import packageJson from '../../../../package.json' with { type: 'json' };
import type { Config } from '../../../config.ts';
import type { Repeat } from './pace.ts';
import { fetchLimits, type Transport } from './transport.ts';

type Addresses = Pick<Config, 'goldenCopyUrl' | 'mappingUrl' | 'micListUrl' | 'downloadHosts'>;

/** @param say takes a sentence for the operator */
export function createTransport(
  { goldenCopyUrl, mappingUrl, micListUrl, downloadHosts }: Addresses,
  signal: AbortSignal,
  say: (message: string) => void,
): Transport {
  const publishers = [goldenCopyUrl, mappingUrl, micListUrl].map((url) => new URL(url).hostname);
  return {
    limits: fetchLimits,
    hosts: [...publishers, ...downloadHosts],
    signal,
    now: () => Date.now(),
    repeat,
    pause: async (milliseconds) => {
      await wait(milliseconds, undefined, { signal }).catch(() => {});
      signal.throwIfAborted();
    },
    say,
    userAgent: `lei-service/${packageJson.version}`,
  };
}

const repeat: Repeat = (everyMs, action) => {
  const timer = setInterval(action, everyMs);
  return () => clearInterval(timer);
};
