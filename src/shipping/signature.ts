/**
 * Signs announcements with Ed25519, so that a node need not trust the store that it follows. The signature covers the
 * whole announcement as it stands in the file, members that this version does not know included.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { clauseOf, ExpectedFailure } from '../errors.ts';
import { readRegular } from '../publication/read-regular.ts';
import { shippingLimits } from './limits.ts';

/** The file of a key can't be used. */
export class UnusableKey extends ExpectedFailure<'unusable-key'> {
  override readonly name = 'UnusableKey';
  constructor(message: string) {
    super('unusable-key', message);
  }
}

/** So that a signature for anything else is not one of an announcement. */
const purpose = 'lei fleet announcement\n';

/** The announcement as it is stored, with its signature. */
export function signed(announcement: object, key: KeyObject): object {
  return { ...announcement, signature: sign(null, messageOf(announcement), key).toString('base64') };
}

/** @param stored the announcement as it was parsed, with all of its members */
export function isSignedBy(stored: object, key: KeyObject): boolean {
  const { signature = null, ...announcement } = { signature: null, ...stored };
  if (typeof signature !== 'string') return false;
  return verify(null, messageOf(announcement), key, Buffer.from(signature, 'base64'));
}

/** Names a key, so that the generations of another one are not compared with those of this one. */
export function nameOf(key: KeyObject): string {
  return key.export({ format: 'jwk' }).x ?? '';
}

/** JSON keeps the order of the members that it was read with. */
function messageOf(announcement: object): Buffer {
  return Buffer.from(`${purpose}${JSON.stringify(announcement)}`);
}

/** @throws UnusableKey if the file is not an Ed25519 public key as PEM */
export function readPublicKey(path: string): Promise<KeyObject> {
  const right = 'an Ed25519 public key as PEM (openssl pkey -in key.pem -pubout)';
  return readKey('LEI_PUBLICATION_KEY', path, right, (pem) => {
    // A private key would be accepted as the public one that belongs to it, and must not lie on a node.
    if (!pem.includes('-----BEGIN PUBLIC KEY-----')) throw new Error('it holds no public key');
    return createPublicKey(pem);
  });
}

/** @throws UnusableKey if the file is not an Ed25519 private key as PEM */
export function readSigningKey(path: string): Promise<KeyObject> {
  const right =
    'an Ed25519 private key as PEM without a passphrase (openssl genpkey -algorithm ed25519 -out key.pem)';
  return readKey('--sign', path, right, (pem) => createPrivateKey(pem));
}

async function readKey(
  given: string,
  path: string,
  right: string,
  read: (pem: string) => KeyObject,
): Promise<KeyObject> {
  const refuse = (reason: string) => new UnusableKey(`${given}: ${path} must be ${right}: ${reason}.`);
  const { keyBytesMax, fileTimeoutMs } = shippingLimits;
  let key: KeyObject;
  try {
    const bytes = await readRegular(path, keyBytesMax, AbortSignal.timeout(fileTimeoutMs));
    key = read(Buffer.from(bytes).toString());
  } catch (error) {
    throw refuse(clauseOf(error));
  }
  if (key.asymmetricKeyType !== 'ed25519') throw refuse(`it is of the kind ${key.asymmetricKeyType}`);
  return key;
}
