/**
 * The error of parsers about a broken file; {@link openSource} adds the file's path and turns it into a SourceError, so
 * that no parser needs to know where its bytes come from.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
