/** The publications as a front sees them. */
import type { Failure, Loading } from '../protocol/control.ts';
import type { Manifest } from '../publication/manifest.ts';
import type { Activation } from '../publication/pointer.ts';

/** A publication that every query thread holds. */
export interface HeldPublication {
  readonly manifest: Manifest;
  readonly activatedAt: string;
}

export interface Publications {
  /** The publication for new questions; null before the first. */
  active(): HeldPublication | null;
  /** The active publication or one that cursors may still read; null once it is gone. */
  held(id: string): HeldPublication | null;
  /** The last activation of each earlier publication that is still held, newest first. */
  previous(): readonly Activation[];
  loading(): Loading | null;
  lastFailure(): Failure | null;
  /** False once the service drains. */
  accepting(): boolean;
}
