/**
 * Writes and reads a backup of accounts, keys and limits of the service: one JSON file that only its owner can read. It contains digests, so
 * nobody can read a key from it, and every key works after a restore.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { reasonOf } from '../../errors.ts';
import type { AccountDirectory, DirectoryRecords } from '../../ports/account-directory.ts';
import { writeDurably } from '../../publication/files.ts';
import { stateLimits } from './limits.ts';
import { isFields, parseAccountRecord, parseKeyRecord, parseServiceLimits } from './records.ts';

const format = 'lei-accounts';
const version = 1;

interface Backup extends DirectoryRecords {
  readonly createdAt: string;
}

type BackupReading =
  | { readonly ok: true; readonly backup: Backup }
  /** A sentence: what is wrong with the file. */
  | { readonly ok: false; readonly fault: string };

/** Writes every account and key. Replaces an older file of that name as a whole. Throws if the disk refuses. */
export function writeBackup(path: string, accounts: AccountDirectory, now: Date): Backup {
  const content = { createdAt: now.toISOString(), ...accounts.exportRecords() };
  const body = JSON.stringify(content);
  writeDurably(path, `${JSON.stringify({ format, version, sha256: digest(body), content })}\n`, 0o600);
  return content;
}

/** Reads a backup and checks all of it. */
export function readBackup(path: string): BackupReading {
  const fault = (text: string): BackupReading => ({ ok: false, fault: `${path} ${text}` });
  let value: unknown;
  try {
    if (statSync(path).size > stateLimits.backupBytesMax)
      return fault('is too large for a backup of accounts.');
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return fault(
      error instanceof SyntaxError
        ? 'is not JSON: it is truncated, or is not a backup made by lei accounts backup.'
        : `cannot be read: ${reasonOf(error)}`,
    );
  }
  if (!isFields(value) || value['format'] !== format)
    return fault('is not a backup made by lei accounts backup.');
  if (value['version'] !== version) {
    return fault(
      `has format version ${JSON.stringify(value['version'])}; this service reads version ${version}.`,
    );
  }
  if (digest(JSON.stringify(value['content'])) !== value['sha256']) {
    return fault('is damaged or was changed: its checksum does not match its content.');
  }
  const backup = parseContent(value['content']);
  return backup === null ? fault('does not have accounts and keys of the right form.') : { ok: true, backup };
}

function parseContent(content: unknown): Backup | null {
  if (!isFields(content)) return null;
  const { createdAt } = content;
  const accounts = parseAll(content['accounts'], parseAccountRecord);
  const keys = parseAll(content['keys'], parseKeyRecord);
  // Backups of earlier versions have none.
  const serviceLimits = parseServiceLimits(content['serviceLimits'] ?? {});
  if (typeof createdAt !== 'string' || accounts === null || keys === null || serviceLimits === null)
    return null;
  const owners = new Map(accounts.map(({ id, keyIds }) => [id, keyIds]));
  const owned = keys.every(({ id, accountId }) => owners.get(accountId)?.includes(id) === true);
  return owned ? { createdAt, accounts, keys, serviceLimits } : null;
}

function parseAll<Item>(value: unknown, parse: (item: unknown) => Item | null): readonly Item[] | null {
  if (!Array.isArray(value)) return null;
  const items = value.map(parse);
  const sound = items.filter((item) => item !== null);
  return sound.length === items.length ? sound : null;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
