/**
 * Seals cursors. A cursor contains a position and the publication it belongs to; the seal prevents altering it or using
 * it for another question. Its value is base64url of a 16-byte MAC and the text that the MAC covers.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Secrets } from '../ports/state.ts';
import { isPublicationId } from '../publication/layout.ts';

export interface Cursor {
  readonly publicationId: string;
  /** The `next` of a query thread's answer. */
  readonly position: string;
}

export interface CursorSeal {
  /** @param scope path and filters: everything about the question but `limit` */
  seal(cursor: Cursor, scope: string): string;
  /** Null if the value was altered or made for another scope. */
  open(value: string, scope: string): Cursor | null;
}

const macBytes = 16;

/** Nodes that share LEI_CURSOR_SECRET read each other's cursors. Without it the installation uses its own secret. */
export function cursorKey(config: Config, secrets: Secrets): Uint8Array {
  if (config.cursorSecret === null) return secrets.cursor;
  return createHash('sha256').update(config.cursorSecret).digest();
}

export function createCursorSeal(key: Uint8Array): CursorSeal {
  const mac = (content: Uint8Array, scope: string) =>
    // The scope's length goes first, so that the boundary between scope and content can't be moved.
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
      // Decoding skips foreign characters and accepts several spellings of the same bytes. Only ours is valid.
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
