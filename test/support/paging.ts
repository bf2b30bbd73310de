/** Runs clients that page through a list repeatedly and record every wrong answer. */

export interface Paging {
  /** Traversals that have reached their last page. */
  traversals(): number;
  /** Ends it. Resolves with the faults; each names its page. */
  stop(): Promise<readonly string[]>;
}

interface Page {
  readonly data: { readonly total: number; readonly items: readonly { readonly lei: string }[] };
  readonly meta: { readonly datasetVersion: string };
  readonly links: { readonly next?: string };
}

/** Between two pages of a client: a swap lasts longer, and without pauses the clients take all cores. */
const pauseMs = 20;

/** @param url of a search whose pages are followed by their cursors */
export function pageThrough(url: string, clients: number): Paging {
  const faults: string[] = [];
  let traversals = 0;
  let running = true;
  const pageAt = async (cursor: string): Promise<Page | null> => {
    const answer = await fetch(cursor === '' ? url : `${url}&cursor=${encodeURIComponent(cursor)}`);
    const text = await answer.text();
    if (answer.status === 200) return JSON.parse(text);
    faults.push(`${answer.status}: ${text}`);
    return null;
  };
  const traverse = async () => {
    const pages: Page[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined && running) {
      const page = await pageAt(cursor);
      if (page === null) return;
      pages.push(page);
      cursor = page.links.next;
      await Bun.sleep(pauseMs);
    }
    if (cursor !== undefined) return;
    faults.push(...faultsOf(pages));
    traversals++;
  };
  const client = async () => {
    while (running) await traverse().catch((error: unknown) => faults.push(String(error)));
  };
  const all = Array.from({ length: clients }, client);
  return {
    traversals: () => traversals,
    async stop() {
      running = false;
      await Promise.all(all);
      return faults;
    },
  };
}

/** A complete traversal has several pages and every row once, all from one publication. */
function faultsOf(pages: readonly Page[]): readonly string[] {
  const versions = new Set(pages.map(({ meta }) => meta.datasetVersion));
  const rows = new Set(pages.flatMap(({ data }) => data.items.map(({ lei }) => lei)));
  const total = pages[0]?.data.total;
  return [
    ...(pages.length > 1 ? [] : ['A traversal had one page only.']),
    ...(versions.size > 1 ? [`A traversal saw ${[...versions].join(', then ')}.`] : []),
    ...(rows.size === total ? [] : [`A traversal found ${rows.size} rows of ${total}.`]),
  ];
}
