/**
 * PublicationSource: the port that says which publication the service is to serve, and brings its files. One data folder
 * is the first source; a fleet's store is meant to be another.
 */
import type { Pointer } from '../publication/pointer.ts';
import type { ManifestReading } from '../publication/sealed.ts';

/** A publication, the time of its activation, and the activations before it. */
export type Announcement = Pointer;

export interface PublicationSource {
  /**
   * The activation that the service is to follow; null before the first. Asked every second, so it must be cheap.
   * @throws where it can't be read
   */
  announced(): Announcement | null;
  /** Makes a publication lie sealed in the publications folder. Resolves with its manifest, or with why it can't. */
  obtain(id: string): Promise<ManifestReading>;
  /**
   * Announces a publication that this service was told to activate. The time of its activation is at least a second
   * later than that of `before`.
   * @throws the system's error where it can't; the announcement before stays then
   */
  announce(id: string, now: Date, before: Announcement | null): Announcement;
}

/** The announcement, for whoever can do without: null also where it can't be read. */
export function readableAnnouncement(source: Pick<PublicationSource, 'announced'>): Announcement | null {
  try {
    return source.announced();
  } catch {
    return null;
  }
}
