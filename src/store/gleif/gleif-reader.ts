/** Defines the data of a publication that GLEIF's API reads in addition to that of the service's own answers. */
import type { LoadedListName } from '../../lei/gleif-code-lists.ts';
import type { RelationName } from '../../lei/gleif-relations.ts';
import type { JsonBytes, JsonPiece } from '../../protocol/json-bytes.ts';
import type { StoredCode } from '../code-lists.ts';
import type { SoughtWords } from '../sought-words.ts';
import type { Steps } from '../steps.ts';
import type { TextPart } from '../text-parts.ts';

/** A text in which the LEI stands between the pieces. */
export type LinkTemplate = readonly JsonPiece[];

/** A relationship that a record shows if it has any of some bits and none of others. */
export interface ConditionalLink {
  readonly if: number;
  readonly unless: number;
  readonly text: LinkTemplate;
}

/** The texts of relationships and links for one public address. */
export interface GleifLinkTexts {
  readonly always: LinkTemplate;
  readonly conditional: readonly ConditionalLink[];
  readonly end: LinkTemplate;
}

/** Companies with at least one, and how many they have. */
export type RelationCounts = ReadonlyMap<number, number>;

export interface GleifReader {
  /** Appends a company as a resource; false if it has no record. @param texts of its links */
  putRecord(out: JsonBytes, entity: number, texts: GleifLinkTexts): boolean;
  /** The values in a part of a company's record; none without a record. */
  values(entity: number, part: TextPart): readonly string[];
  /**
   * Whether a part of a company's record has all of some words: in one text, or in several if the part is all names or
   * everything.
   */
  hasWords(entity: number, part: TextPart, sought: SoughtWords): boolean;
  /** How many companies are related to each, by a relation that a company may have to many. */
  relationCounts(name: RelationName): Steps<RelationCounts>;
  /** The codes of a list that was loaded from GLEIF's file; none if it was not. */
  codeList(list: LoadedListName): readonly StoredCode[];
}
