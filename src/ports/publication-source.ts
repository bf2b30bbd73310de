/**
 * PublicationSource: the port that says which publication the service must serve, and provides its files. One data
 * folder is one source, a fleet's store is another.
 */
import type { Pointer } from '../publication/pointer.ts';
import type { ManifestReading } from '../publication/sealed.ts';

/** A publication, the time of its activation, and the activations before it. */
export type Announcement = Pointer;

export interface PublicationSource {
  /**
   * The activation that the service must follow; null before the first. Called every second, so it must be cheap.
   * @throws if it can't be read
   */
  announced(): Announcement | null;
  /** Provides a publication, sealed, in the publications folder. Resolves with its manifest, or with why it can't. */
  obtain(id: string): Promise<ManifestReading>;
  /**
   * Announces a publication that this service was told to activate. The time of its activation is at least a second
   * later than that of `before`.
   * @throws the system's error if it can't; the previous announcement then stays
   */
  announce(id: string, now: Date, before: Announcement | null): Announcement;
}

/** The announcement, for callers that can do without: null also if it can't be read. */
export function readableAnnouncement(source: Pick<PublicationSource, 'announced'>): Announcement | null {
  try {
    return source.announced();
  } catch {
    return null;
  }
}
