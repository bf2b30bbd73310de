/** A file that a publisher offers, and the links that lead to it. */
import { followed } from './addresses.ts';
import { FetchFailure } from './fetch-failure.ts';

export interface PublishedFile {
  readonly url: string;
  /** As the publisher names it. */
  readonly name: string;
  /** Bytes as sent; null if the publisher does not say. */
  readonly bytes: number | null;
  /** Null if the publisher does not say. */
  readonly records: number | null;
}

/** A plain file name of at most 200 characters: it becomes a path under the data folder. */
export const fileNamePattern = '^\\w[\\w.-]{0,199}$';

/** The file that a link leads to, named by the link. @param base address of the answer with the link */
export function linkedFile(link: string, base: string): Pick<PublishedFile, 'url' | 'name'> {
  const url = followed(link, base);
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  if (new RegExp(fileNamePattern).test(name)) return { url, name };
  throw new FetchFailure(
    'unexpected-answer',
    `${base} gives the link ${JSON.stringify(url)}, which does not end in a file name.`,
  );
}
