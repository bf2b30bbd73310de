/** Finds the publication that a command reads. */
import type { Layout } from '../publication/layout.ts';
import type { Manifest } from '../publication/manifest.ts';
import { readPointer } from '../publication/pointer.ts';
import { readManifest } from '../publication/sealed.ts';
import { CommandFailure } from './frame.ts';

/** @returns the manifest of the named publication, or of the active one. @throws CommandFailure if it can't be read */
export function chosenPublication(layout: Layout, given: string | undefined): Manifest {
  const id = given ?? readPointer(layout)?.id;
  if (id === undefined)
    throw new CommandFailure(
      'no-publication',
      'No publication is active. Give the id of one, or load data with lei load or lei update.',
    );
  const reading = readManifest(layout, id);
  if (reading.outcome === 'sound') return reading.manifest;
  throw new CommandFailure('no-publication', `Publication ${id} can't be read: ${reading.message}`);
}
