/** Reading a credential: the key in an `Authorization` header, nothing more. */
import { isWellFormedSecret } from '../../state/key.ts';
import { accessLimits } from './limits.ts';

/** RFC 6750 with the scheme case-insensitive, as RFC 9110 has it. */
const bearer = /^bearer +([A-Za-z0-9_]+)$/i;

/** The well-formed key in the header, or null where it holds anything else. */
export function readBearer(authorization: string): string | null {
  if (authorization.length > accessLimits.authorizationCharactersMax) return null;
  // As nearly every client writes it; what is left of it is checked as a key just below.
  const usual = authorization.startsWith('Bearer lei_');
  const secret = usual ? authorization.slice('Bearer '.length) : bearer.exec(authorization)?.[1];
  return secret !== undefined && isWellFormedSecret(secret) ? secret : null;
}
