/** The publications as a front sees them, and the parts that all answers from one share, prepared once for each. */
import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import type { Notices } from '../lei/notices.ts';
import { schemaVersion } from '../lei/schema-version.ts';
import type { Secrets } from '../ports/state.ts';
import type { Failure, Loading } from '../protocol/control.ts';
import type { Unavailability } from '../protocol/questions.ts';
import type { Manifest } from '../publication/manifest.ts';
import type { Activation } from '../publication/pointer.ts';
import { cursorKey } from './cursor.ts';
import { createTagger, type Tagger } from './headers.ts';
import { licenseNotice } from './license-notice.ts';

export interface PublicationTexts {
  readonly id: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** JSON of the envelope's `meta` in UTF-8. */
  meta(notices: Notices): Uint8Array;
  /** Entity tags for this publication's bodies. */
  readonly tag: Tagger;
  /** HTTP date. */
  readonly lastModified: string;
  /** Epoch milliseconds. */
  readonly lastModifiedAt: number;
}

/** @param baseUrl known only once the service listens, if the system chooses the port */
export function createPublicationTexts(config: Config, secrets: Secrets, baseUrl: () => string) {
  const known = new WeakMap<HeldPublication, PublicationTexts>();
  return (held: HeldPublication): PublicationTexts => {
    let texts = known.get(held);
    if (texts === undefined) {
      texts = make(held, config, secrets, baseUrl());
      known.set(held, texts);
    }
    return texts;
  };
}

/** The envelope's `meta`. */
export function answerMeta(
  config: Pick<Config, 'sourceUrl' | 'licenseNotice'>,
  manifest: Manifest,
  notices: Notices,
) {
  return {
    datasetVersion: manifest.id,
    sourcePublishedAt: manifest.sourcePublishedAt,
    schemaVersion,
    sourceUrl: config.sourceUrl,
    licenseNotice: licenseNotice(config.licenseNotice, notices, manifest),
  };
}

function make(held: HeldPublication, config: Config, secrets: Secrets, baseUrl: string): PublicationTexts {
  const { manifest } = held;
  const metas: (Uint8Array | undefined)[] = [];
  const activated = new Date(held.activatedAt);
  return {
    id: manifest.id,
    baseUrl,
    meta(notices) {
      metas[notices] ??= Buffer.from(JSON.stringify(answerMeta(config, manifest, notices)));
      return metas[notices];
    },
    // Everything that a body depends on besides its address. The time of activation is left out: after a rollback the
    // old bytes are served again, and the old tags are right again.
    tag: createTagger(secrets.etag, [
      manifest.id,
      schemaVersion,
      config.licenseNotice,
      config.sourceUrl,
      baseUrl,
      // A page contains the next one's cursor, which another key could not open.
      Buffer.from(cursorKey(config, secrets)).toString('hex'),
      // Another version of the service may render the same publication differently.
      packageJson.version,
    ]),
    lastModified: activated.toUTCString(),
    lastModifiedAt: Math.floor(activated.getTime() / 1000) * 1000,
  };
}

/** A publication that every query thread holds. */
export interface HeldPublication {
  readonly manifest: Manifest;
  readonly activatedAt: string;
}

export interface Publications {
  /** The publication that answers new questions, or why none does. */
  readonly answering: HeldPublication | Unavailability;
  /** Null before the first. */
  active(): HeldPublication | null;
  /** The active publication or one that cursors may still read; null once it is gone. */
  held(id: string): HeldPublication | null;
  /** The last activation of each earlier publication that is still held, newest first. */
  previous(): readonly Activation[];
  loading(): Loading | null;
  lastFailure(): Failure | null;
}
