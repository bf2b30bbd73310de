/** Parses accounts and keys of state tables and backup files. */
import {
  type AccountRecord,
  type KeyRecord,
  type ServiceLimits,
  serviceLimitNames,
} from '../../ports/account-directory.ts';

/** The record, or null if the value is not one. */
export function parseAccountRecord(value: unknown): AccountRecord | null {
  if (!isFields(value)) return null;
  const { id, email, company, use, createdAt, suspendedAt, daily, burstLookup, burstSearch, keyIds } = value;
  const texts = isText(id) && isText(email) && isText(company) && isText(use) && isMoment(createdAt);
  if (!texts || !isMomentOrNull(suspendedAt)) return null;
  if (!isLimit(daily) || !isLimit(burstLookup) || !isLimit(burstSearch)) return null;
  if (!Array.isArray(keyIds) || !keyIds.every(isText)) return null;
  return { id, email, company, use, createdAt, suspendedAt, daily, burstLookup, burstSearch, keyIds };
}

/** The record, or null if the value is not one. */
export function parseKeyRecord(value: unknown): KeyRecord | null {
  if (!isFields(value)) return null;
  // Keys of earlier versions have no name.
  const { id, accountId, prefix, name = null, createdAt, revokedAt, digest } = value;
  if (!isText(id) || !isText(accountId) || !isText(prefix) || !isDigest(digest)) return null;
  if (!isMoment(createdAt) || !isMomentOrNull(revokedAt)) return null;
  if (name !== null && !isText(name)) return null;
  return { id, accountId, prefix, name, createdAt, revokedAt, digest };
}

/** The limits, without those that this version does not know; null if the value has none of the right form. */
export function parseServiceLimits(value: unknown): ServiceLimits | null {
  if (!isFields(value)) return null;
  const given = serviceLimitNames.flatMap((name) => (name in value ? [[name, value[name]] as const] : []));
  const limits = given.filter((entry): entry is typeof entry & [unknown, number] => isCount(entry[1]));
  return limits.length === given.length ? Object.fromEntries(limits) : null;
}

/** A row of a state table. Only this service writes it, so anything else in it is damage. */
export function readRow<Value>(
  text: string | undefined,
  parse: (value: unknown) => Value | null,
): Value | null {
  if (text === undefined) return null;
  const value = parse(JSON.parse(text));
  if (value === null)
    throw new Error('A row of the state tables is damaged; restore the accounts from a backup.');
  return value;
}

/** Whether a value of JSON is an object, with members by name. */
export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isMoment(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function isMomentOrNull(value: unknown): value is string | null {
  return value === null || isMoment(value);
}

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9+/]{43}=$/.test(value);
}

function isLimit(value: unknown): value is number | null {
  return value === null || isCount(value);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
