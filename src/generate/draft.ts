/** The facts and the random stream that all parts of one level 1 record are drawn from. */
import type { Category } from './entity-shares.ts';
import type { Random } from './random.ts';
import type { Role } from './structure.ts';
import type { Country } from './vocabulary/countries.ts';
import type { Issuer } from './vocabulary/issuers.ts';
import type { World } from './world.ts';

export interface RecordDraft {
  readonly world: World;
  readonly entity: number;
  readonly lei: string;
  readonly country: Country;
  readonly issuer: Issuer;
  readonly role: Role;
  readonly category: Category;
  /** Registration status. */
  readonly status: string;
  /** The record's own stream. The parts must never change the order in which they draw from it. */
  readonly random: Random;
  /** When the data set is published, in seconds since 1970. Only renewals are later. */
  readonly now: number;
}
