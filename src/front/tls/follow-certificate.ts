/**
 * Follows the certificate on disk. A renewal replaces two files, one after the other. A pair that matches is used from
 * then on. A pair that still does not match at the next check is refused with a warning, and the old certificate stays
 * in use.
 */
import { reasonOf } from '../../errors.ts';
import type { TlsFiles } from '../../operations-settings.ts';
import type { Log } from '../log.ts';
import { type Certificate, certificateOf, type PemTexts, readPemTexts } from './certificate.ts';

/** A new pair is in use within 10 seconds, even if it matches only at the second check. */
const lookEveryMs = 4_000;

export interface CertificateFollower {
  current(): Certificate;
  /** Checks now, as an operator requests by SIGHUP. Never rejects. */
  look(): Promise<void>;
  stop(): void;
}

interface Parts {
  readonly files: TlsFiles;
  /** The certificate in use. */
  readonly first: Certificate;
  /** Starts using another one. */
  readonly renew: (certificate: Certificate) => Promise<void>;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

export function followCertificate({ files, first, renew, log }: Parts): CertificateFollower {
  let current = first;
  /** The texts that did not match at the last check, and those that were refused since the pair was last right. */
  let unfit = '';
  let refused = '';
  let looking: Promise<void> | null = null;
  const forgetRefusals = () => {
    unfit = '';
    refused = '';
  };
  const refuse = (mark: string, error: unknown, asked: boolean) => {
    const again = asked || unfit === mark;
    unfit = mark;
    if (!again || refused === mark) return;
    refused = mark;
    log.warn('The new certificate is refused; the previous one stays in use.', { reason: reasonOf(error) });
  };
  const take = async (texts: PemTexts) => {
    const next = certificateOf(texts, files);
    await renew(next);
    current = next;
    forgetRefusals();
    log.info('A new certificate is in use.', { ends: new Date(current.endsAt).toISOString() });
  };
  const lookOnce = async (asked: boolean) => {
    let mark = 'unreadable';
    try {
      const texts = await readPemTexts(files);
      mark = texts.chain + texts.key;
      if (texts.chain === current.chain && texts.key === current.key) forgetRefusals();
      else await take(texts);
    } catch (error) {
      refuse(mark, error, asked);
    }
  };
  const look = (asked: boolean) => {
    looking = (looking ?? Promise.resolve()).then(() => lookOnce(asked));
    return looking;
  };
  const timer = setInterval(() => void look(false), lookEveryMs);
  return { current: () => current, look: () => look(true), stop: () => clearInterval(timer) };
}
