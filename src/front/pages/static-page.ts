/** A page in the common layout that never changes while the service runs. */
import type { Shown } from './definition.ts';
import { layout, type Site } from './layout.ts';
import type { Page } from './page.ts';
import { htmlHeaders } from './policy.ts';

/** @param path of the page below the base path */
export function staticPage(shown: Shown, path: string, site: Site): Page {
  return {
    contentType: 'text/html; charset=utf-8',
    body: layout(shown, path, site),
    headers: htmlHeaders(),
  };
}
