/**
 * Stores the sessions of the account page in the local state: a row for each, and for each account a list of its own.
 */
import { type Environment, rowCount, type TextTable, textTable } from '../../lmdb.ts';
import { type Session, type Sessions, sessionLimits, sessionMs } from '../../ports/sessions.ts';
import { type AccountTables, readAccount, readKey } from './account-tables.ts';
import type { Write } from './account-writers.ts';
import { stateLimits } from './limits.ts';
import { isFields, readRow } from './records.ts';

interface SessionRecord extends Session {
  /** The names of the forms that were sent. */
  readonly forms: readonly string[];
}

interface SessionTables {
  readonly sessions: TextTable;
  /** The digests of an account's sessions, oldest first, with spaces between. */
  readonly ofAccount: TextTable;
}

/** Of 32 bytes in base64. */
const digestCharacters = 44;

type Bounds = Readonly<Record<keyof typeof sessionLimits, number>>;

/** @param accounts are read with each session, so that revoking a key need not know about sessions */
export function openSessions(
  environment: Environment,
  accounts: AccountTables,
  write: Write,
  bounds: Bounds = sessionLimits,
): Sessions {
  const tables: SessionTables = {
    sessions: textTable(environment, 'sessions', 'string'),
    ofAccount: textTable(environment, 'accountSessions', 'string'),
  };
  const running = (digest: string, now: number): SessionRecord | null => {
    const record = readSession(tables, digest);
    return record !== null && !isOver(record, now) && isAllowed(accounts, record) ? record : null;
  };
  return {
    open: (digest, session) => write(() => add(tables, digest, session, bounds)),
    async find(digest, now) {
      // Begin a new snapshot, which shows changes by other processes.
      environment.resetReadTxn();
      const record = running(digest, now);
      return record && { accountId: record.accountId, keyId: record.keyId, openedAt: record.openedAt };
    },
    claim: (digest, form, now) =>
      write(() => {
        const record = running(digest, now);
        if (record === null) return 'ended';
        if (record.forms.includes(form)) return 'sent-before';
        if (record.forms.length >= bounds.formsMax) return 'too-many';
        putSession(tables, digest, { ...record, forms: [...record.forms, form] });
        return 'claimed';
      }),
    end: (digest) => write(() => remove(tables, digest)),
    async forgetEnded(now) {
      const over = overAt(tables, now);
      for (let start = 0; start < over.length; start += stateLimits.rowsPerTransaction) {
        const part = over.slice(start, start + stateLimits.rowsPerTransaction);
        await write(() => part.forEach((digest) => void remove(tables, digest)));
      }
    },
  };
}

function add(tables: SessionTables, digest: string, session: Session, bounds: Bounds): boolean {
  const isFull = () => rowCount(tables.sessions) >= bounds.inAllMax;
  if (isFull()) {
    const over = overAt(tables, session.openedAt).slice(0, stateLimits.rowsPerTransaction);
    for (const each of over) remove(tables, each);
  }
  if (isFull()) return false;
  const all = [...digestsOf(tables, session.accountId), digest];
  const ended = all.splice(0, all.length - bounds.perAccountMax);
  for (const each of ended) tables.sessions.removeSync(each);
  tables.ofAccount.putSync(session.accountId, all.join(' '));
  putSession(tables, digest, { ...session, forms: [] });
  return true;
}

function remove(tables: SessionTables, digest: string): void {
  const record = readSession(tables, digest);
  if (record === null) return;
  tables.sessions.removeSync(digest);
  const others = digestsOf(tables, record.accountId).filter((other) => other !== digest);
  if (others.length === 0) tables.ofAccount.removeSync(record.accountId);
  else tables.ofAccount.putSync(record.accountId, others.join(' '));
}

function overAt(tables: SessionTables, now: number): readonly string[] {
  const all = [...tables.sessions.getKeys()].map(String);
  return all.filter((digest) => {
    const record = readSession(tables, digest);
    return record !== null && isOver(record, now);
  });
}

/** Also true if the clock was set back by as much. */
function isOver({ openedAt }: Session, now: number): boolean {
  return Math.abs(now - openedAt) >= sessionMs;
}

function isAllowed(accounts: AccountTables, { accountId, keyId }: Session): boolean {
  const key = readKey(accounts, keyId);
  return key !== null && key.revokedAt === null && readAccount(accounts, accountId)?.suspendedAt === null;
}

function digestsOf({ ofAccount }: SessionTables, accountId: string): readonly string[] {
  return ofAccount.get(accountId)?.split(' ') ?? [];
}

function readSession({ sessions }: SessionTables, digest: string): SessionRecord | null {
  // lmdb throws on a key that is empty or too long.
  if (digest.length !== digestCharacters) return null;
  return readRow(sessions.get(digest), parseSession);
}

function putSession({ sessions }: SessionTables, digest: string, record: SessionRecord): void {
  sessions.putSync(digest, JSON.stringify(record));
}

function parseSession(value: unknown): SessionRecord | null {
  if (!isFields(value)) return null;
  const { accountId, keyId, openedAt, forms } = value;
  if (typeof accountId !== 'string' || typeof keyId !== 'string' || typeof openedAt !== 'number') return null;
  if (!Array.isArray(forms) || !forms.every((form) => typeof form === 'string')) return null;
  return { accountId, keyId, openedAt, forms };
}
