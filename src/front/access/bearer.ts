/** Reads the key in an `Authorization` header. */
import { isWellFormedSecret } from '../../state/key.ts';
import { accessLimits } from './limits.ts';

/** RFC 6750 with the scheme case-insensitive, as RFC 9110 has it. */
const bearer = /^bearer +([A-Za-z0-9_]+)$/i;

/** The well-formed key in the header, or null where it holds anything else. */
export function readBearer(authorization: string): string | null {
  if (authorization.length > accessLimits.authorizationCharactersMax) return null;
  // Nearly every client writes it so; the rest is checked as a key below.
  const usual = authorization.startsWith('Bearer lei_');
  const secret = usual ? authorization.slice('Bearer '.length) : bearer.exec(authorization)?.[1];
  return secret !== undefined && isWellFormedSecret(secret) ? secret : null;
}
