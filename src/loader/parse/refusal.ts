/**
 * Thrown inside the parsers where a file itself is broken; {@link openSource} adds the file's path and makes a
 * SourceError of it, so that no parser needs to know where its bytes come from.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
