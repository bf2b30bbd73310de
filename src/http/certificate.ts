/** Reads the certificate and the key of HTTPS, and checks that they can be used together. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { TlsFiles } from '../config.ts';
import { ExpectedFailure, errorCode, reasonOf } from '../errors.ts';
import { readRegular, UnreadableFile } from '../publication/read-regular.ts';

/** Imported when a certificate is read: without HTTPS a start takes 36 ms less. */
const readTls = (): typeof import('node:tls') => require('node:tls');

/** The two texts as read, unchecked. */
export interface PemTexts {
  /** The certificate, then the chain to its issuer. */
  readonly chain: string;
  readonly key: string;
}

export interface Certificate extends PemTexts {
  /** When it ends, epoch milliseconds. */
  readonly endsAt: number;
}

/** Why the files can't be used; for the operator. */
export class UnusableCertificate extends ExpectedFailure {
  override readonly name = 'UnusableCertificate';
  constructor(message: string) {
    super('unusable-certificate', message);
  }
}

/** A chain has some kilobytes. A disk that does not answer must not hold up a start or a stop. */
const pemLimits = { bytesMax: 1024 * 1024, timeoutMs: 5_000 } as const;

/** @param stopping ends the wait @throws UnusableCertificate if a file can't be read */
export async function readPemTexts(
  { certificate, key }: TlsFiles,
  stopping?: AbortSignal,
): Promise<PemTexts> {
  const timeout = AbortSignal.timeout(pemLimits.timeoutMs);
  const signal = stopping === undefined ? timeout : AbortSignal.any([timeout, stopping]);
  const [chain, keyText] = await Promise.all([
    readText('LEI_TLS_CERT', certificate, signal),
    readText('LEI_TLS_KEY', key, signal),
  ]);
  return { chain, key: keyText };
}

async function readText(setting: string, path: string, signal: AbortSignal): Promise<string> {
  try {
    return Buffer.from(await readRegular(path, pemLimits.bytesMax, signal)).toString();
  } catch (error) {
    if (error instanceof UnreadableFile)
      throw new UnusableCertificate(`${setting}: ${path} ${error.message}.`);
    throw new UnusableCertificate(`${setting}: ${path} can't be read (${errorCode(error)}).`);
  }
}

/** @throws UnusableCertificate if the texts are not a certificate and its key, or the server can't use them */
export function certificateOf({ chain, key }: PemTexts, files: TlsFiles): Certificate {
  const parsed = parse(`LEI_TLS_CERT: ${files.certificate} holds no certificate in PEM form`, () =>
    certificatesIn(chain).map((text) => new X509Certificate(text)),
  );
  const [own] = parsed;
  if (own === undefined)
    throw new UnusableCertificate(`LEI_TLS_CERT: ${files.certificate} holds no certificate in PEM form.`);
  const privateKey = parse(
    `LEI_TLS_KEY: ${files.key} holds no private key in PEM form without a passphrase`,
    () => createPrivateKey(key),
  );
  if (!own.checkPrivateKey(privateKey)) {
    throw new UnusableCertificate(
      `The key in ${files.key} (LEI_TLS_KEY) does not belong to the first certificate in ${files.certificate} (LEI_TLS_CERT).`,
    );
  }
  parse(
    `HTTPS can't use the key in ${files.key} (LEI_TLS_KEY); it must be of a common kind, such as RSA or EC on P-256`,
    () => readTls().createSecureContext({ cert: chain, key }),
  );
  return { chain, key, endsAt: Date.parse(own.validTo) };
}

/** The certificates of a PEM text, in their order. */
export function certificatesIn(text: string): readonly string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}

function parse<Value>(refusal: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new UnusableCertificate(`${refusal} (${reasonOf(error)}).`);
  }
}
