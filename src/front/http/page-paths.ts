/** Finds the page of a path. */
import type { PageDefinition } from '../pages/definition.ts';

export interface PageFound {
  readonly page: PageDefinition;
  /** The named parts of the pattern in the path, percent-decoded. */
  readonly places: Readonly<Record<string, string>>;
}

/** @returns a function that returns null for an unknown path */
export function pageFinder(pages: readonly PageDefinition[]): (path: string) => PageFound | null {
  const fixed = new Map(pages.map((page) => [page.path, { page, places: {} }]));
  const patterns = pages
    .filter(({ path }) => path.includes('{'))
    .map((page) => ({
      page,
      pattern: new RegExp(`^${page.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    }));
  return (path) => {
    const known = fixed.get(path);
    if (known !== undefined) return known;
    for (const { page, pattern } of patterns) {
      const places = placesOf(pattern.exec(path)?.groups);
      if (places !== null) return { page, places };
    }
    return null;
  };
}

/** Null for no match, and for bytes that are not percent-encoded UTF-8. */
function placesOf(groups: Record<string, string> | undefined): Record<string, string> | null {
  if (groups === undefined) return null;
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    return null;
  }
}
