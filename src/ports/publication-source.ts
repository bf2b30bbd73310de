/** PublicationSource: the port that says which publication the service must serve, and provides its files. */
import type { Direction, Pointer } from '../publication/pointer.ts';
import type { ManifestReading } from '../publication/sealed.ts';

export interface PublicationSource {
  /**
   * The activation that the service must follow; null before the first. Called every second, so it must be cheap.
   * @throws if it can't be read
   */
  pointer(): Pointer | null;
  /** Provides a publication, sealed, in the publications folder. Resolves with its manifest, or with why it can't. */
  obtain(id: string): Promise<ManifestReading>;
  /**
   * Makes a publication the active one, by default forward. The time of its activation is at least a second later than that of `before`.
   * @throws the system's error if it can't; the pointer then stays as it was
   */
  movePointer(id: string, now: Date, before: Pointer | null, direction?: Direction): Pointer;
}

/** The pointer, for callers that can do without: null also if it can't be read. */
export function pointerIfReadable(source: Pick<PublicationSource, 'pointer'>): Pointer | null {
  try {
    return source.pointer();
  } catch {
    return null;
  }
}
