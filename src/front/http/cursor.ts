/**
 * Cursors: where a traversal stands, in which publication, sealed so that nobody can alter one or use it for
 * another question. The value is base64url of a 16-byte MAC and the text it covers.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Secrets } from '../../ports/secrets.ts';
import { isPublicationId } from '../../publication/layout.ts';

export interface Cursor {
  readonly publicationId: string;
  /** As a query thread gave it in `next`. */
  readonly position: string;
}

export interface CursorSeal {
  /** @param scope the endpoint with its path, query and filters, all but `limit` */
  seal(cursor: Cursor, scope: string): string;
  /** Null where the value was altered or made for another scope. */
  open(value: string, scope: string): Cursor | null;
}

const macBytes = 16;

/** Nodes that share LEI_CURSOR_SECRET read each other's cursors; otherwise the installation's own secret serves. */
export function cursorKey(config: Config, secrets: Secrets): Uint8Array {
  if (config.cursorSecret === null) return secrets.cursor;
  return createHash('sha256').update(config.cursorSecret).digest();
}

export function createCursorSeal(key: Uint8Array): CursorSeal {
  const mac = (content: Uint8Array, scope: string) =>
    // The scope's length goes first, so that no scope and content can be shifted into one another.
    createHmac('sha256', key)
      .update(`${scope.length}\n${scope}\n`)
      .update(content)
      .digest()
      .subarray(0, macBytes);
  return {
    seal(cursor, scope) {
      const content = Buffer.from(`${cursor.publicationId}\n${cursor.position}`);
      return Buffer.concat([mac(content, scope), content]).toString('base64url');
    },
    open(value, scope) {
      const bytes = Buffer.from(value, 'base64url');
      // What is no base64url is passed over in reading, and the same bytes have several spellings: only the one given out is taken.
      if (bytes.length <= macBytes || bytes.toString('base64url') !== value) return null;
      const content = bytes.subarray(macBytes);
      if (!timingSafeEqual(bytes.subarray(0, macBytes), mac(content, scope))) return null;
      return readContent(content.toString('utf8'));
    },
  };
}

function readContent(text: string): Cursor | null {
  const end = text.indexOf('\n');
  const publicationId = text.slice(0, end);
  return isPublicationId(publicationId) ? { publicationId, position: text.slice(end + 1) } : null;
}
