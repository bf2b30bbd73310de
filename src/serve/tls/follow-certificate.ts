/**
 * Follows the certificate on disk. A renewal replaces two files, one after the other. All fronts use a pair that matches
 * from then on. A pair that still does not match at the next check is refused with a warning, and the old certificate
 * stays in use.
 */
import type { Config, TlsFiles } from '../../config.ts';
import { reasonOf } from '../../errors.ts';
import {
  type Certificate,
  certificateOf,
  readPemTexts,
  UnusableCertificate,
} from '../../http/certificate.ts';
import { listenersMax } from '../../http/listeners.ts';
import type { Log } from '../../log/log.ts';
import type { Fronts } from '../threads/fronts.ts';
import { steerToCertificate } from './steer.ts';

/** A new pair is in use within 10 seconds, even if it matches only at the second check. */
const lookEveryMs = 4_000;
/** After its idle time a connection may still be answering a last request. */
const lastAnswerMs = 5_000;

interface CertificateParts {
  readonly config: Pick<Config, 'tls' | 'host' | 'keepAliveSeconds'>;
  readonly fronts: Pick<Fronts, 'renew' | 'forgetEarlier'>;
  readonly port: number;
  /** The certificate that the fronts listen with; null without HTTPS. */
  readonly first: Certificate | null;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Called when further listeners have opened. */
  readonly opened: () => void;
  /** Milliseconds; never goes back. */
  readonly now?: () => number;
}

/** An operator requested the check, so that a refusal is reported at once, or its turn came. */
type WhyLooked = 'requested' | 'by itself';

/** @returns null without HTTPS */
export function followCertificate(parts: CertificateParts): CertificateFollower | null {
  const { first } = parts;
  const { tls } = parts.config;
  return tls === null || first === null ? null : new CertificateFollower(parts, tls, first);
}

export class CertificateFollower {
  readonly #parts: CertificateParts;
  readonly #files: TlsFiles;
  readonly #timer = setInterval(() => void this.look('by itself'), lookEveryMs);
  readonly #stopping = new AbortController();
  readonly #now: () => number;
  #current: Certificate;
  #isRenewed = false;
  /** When the last certificates came into use. */
  #renewedAt: readonly number[] = [];
  /** The texts that did not match at the last check, and those that were refused since the pair was last right. */
  #unfit = '';
  #refused = '';
  #looking: Promise<void> = Promise.resolve();

  constructor(parts: CertificateParts, files: TlsFiles, first: Certificate) {
    this.#parts = parts;
    this.#files = files;
    this.#current = first;
    this.#now = parts.now ?? (() => performance.now());
  }

  current(): Certificate {
    return this.#current;
  }

  /** Checks now, after a check that is under way; by default because an operator requests it by SIGHUP. Never rejects. */
  look(why: WhyLooked = 'requested'): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look(why));
    return this.#looking;
  }

  /** A front has been replaced: its listeners have other places in the kernel's group. Never rejects. */
  async steerAgain(): Promise<void> {
    if (this.#isRenewed) await this.#steerTo(this.#current);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#stopping.abort();
  }

  async #look(why: WhyLooked): Promise<void> {
    let mark = 'unreadable';
    try {
      const texts = await readPemTexts(this.#files, this.#stopping.signal);
      mark = texts.chain + texts.key;
      if (texts.chain === this.#current.chain && texts.key === this.#current.key) this.#forgetRefusals();
      else await this.#take(certificateOf(texts, this.#files));
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#refuse(mark, error, why);
    }
  }

  async #take(next: Certificate): Promise<void> {
    const { fronts, opened, log } = this.#parts;
    this.#refuseHaste();
    await fronts.renew(next);
    this.#renewedAt = [...this.#renewedAt, this.#now()].slice(1 - listenersMax);
    this.#isRenewed = true;
    opened();
    // Without the kernel's help, connections that wait to be accepted are lost with the earlier listeners.
    if (!(await this.#steerTo(next))) await fronts.forgetEarlier();
    this.#current = next;
    this.#forgetRefusals();
    log.info('A new certificate is in use.', { ends: new Date(next.endsAt).toISOString() });
  }

  /** A listener closes once that many newer ones are open. By then its connections must have ended. */
  #refuseHaste(): void {
    const [first = 0] = this.#renewedAt;
    const wantedMs = this.#parts.config.keepAliveSeconds * 1_000 + lastAnswerMs;
    if (this.#renewedAt.length < listenersMax - 1 || this.#now() - first >= wantedMs) return;
    throw new UnusableCertificate(
      `There were ${listenersMax - 1} renewals within ${Math.ceil(wantedMs / 1_000)} seconds, so this one has to wait: connections with earlier certificates would be cut off.`,
    );
  }

  #refuse(mark: string, error: unknown, why: WhyLooked): void {
    const again = why === 'requested' || this.#unfit === mark;
    this.#unfit = mark;
    if (!again || this.#refused === mark) return;
    this.#refused = mark;
    const reason = reasonOf(error);
    this.#parts.log.warn('The new certificate is refused; the previous one stays in use.', { reason });
  }

  #forgetRefusals(): void {
    this.#unfit = '';
    this.#refused = '';
  }

  #steerTo({ chain }: Certificate): Promise<boolean> {
    const { port, config } = this.#parts;
    return steerToCertificate(port, config.host, chain);
  }
}
