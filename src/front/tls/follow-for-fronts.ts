/** Applies new certificates to all fronts of a service. */
import type { Config } from '../../config.ts';
import type { Fronts } from '../fronts/fronts.ts';
import type { Log } from '../log.ts';
import type { Certificate } from './certificate.ts';
import { type CertificateFollower, followCertificate } from './follow-certificate.ts';
import { steerToCertificate } from './steer.ts';

export interface FrontsFollower extends CertificateFollower {
  /** A front has been replaced: its listeners have other places in the kernel's group. Never rejects. */
  steerAgain(): Promise<void>;
}

interface Parts {
  readonly config: Pick<Config, 'tls' | 'host'>;
  readonly fronts: Pick<Fronts, 'renew' | 'forgetEarlier'>;
  readonly port: number;
  /** The certificate that the fronts listen with; null without HTTPS. */
  readonly first: Certificate | null;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** Called when further listeners have opened. */
  readonly opened: () => void;
}

/** @returns null without HTTPS */
export function followForFronts({ config, fronts, port, first, log, opened }: Parts): FrontsFollower | null {
  const { tls, host } = config;
  if (tls === null || first === null) return null;
  let renewed = false;
  const renew = async (certificate: Certificate) => {
    await fronts.renew(certificate);
    renewed = true;
    opened();
    // Without the kernel's help, connections that wait to be accepted are lost with the earlier listeners.
    if (!(await steerToCertificate(port, host, certificate.chain))) await fronts.forgetEarlier();
  };
  const follower = followCertificate({ files: tls, first, renew, log });
  return {
    ...follower,
    async steerAgain() {
      if (renewed) await steerToCertificate(port, host, follower.current().chain);
    },
  };
}
