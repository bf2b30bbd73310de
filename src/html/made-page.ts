/** How the content of a page crosses from the query thread that makes it to the front that sends it. */
import { Html } from './html.ts';

export interface MadePage {
  /** '' for a company that is no longer in the data: the content then is what is known about it. */
  readonly title: string;
  readonly content: Html;
}

/** As a text that {@link readMadePage} reads: JSON would take a front a millisecond. */
export function textOfPage({ title, content }: MadePage): string {
  return `${title.length}\n${title}${content.text}`;
}

/** @param text as {@link textOfPage} makes it: a title may contain anything, so its length stands before it */
export function readMadePage(text: string): MadePage {
  const start = text.indexOf('\n') + 1;
  const end = start + Number(text.slice(0, start));
  return { title: text.slice(start, end), content: new Html(text.slice(end)) };
}
