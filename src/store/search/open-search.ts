import { foldedWords } from '../../lei/names/fold.ts';
import { bytesTable, type Environment, textTable } from '../../lmdb.ts';
import type { SearchDocument, SearchHit, SearchOutcome, SearchQuery, SearchReader } from './search-reader.ts';

/** Opens the search index of a sealed publication. */
export function openSearchReader(environment: Environment): SearchReader {
  const postings = bytesTable(environment, 'searchTerms', 'binary');
  const documents = textTable(environment, 'searchDocuments', 'uint32');
  const list = (word: string): Set<number> => {
    const bytes = postings.getBinary(Buffer.from(word.slice(0, 100)));
    if (bytes === undefined) return new Set();
    return new Set(
      new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)),
    );
  };
  const document = (id: number): SearchDocument => JSON.parse(documents.get(id) ?? '');
  return {
    search: (query): SearchOutcome => {
      const words = foldedWords(query.q);
      if (words.length === 0) {
        return { outcome: 'refused', parameter: 'q', detail: 'q has no letter and no digit to search for.' };
      }
      const lists = words.map(list).sort((a, b) => a.size - b.size);
      let ids = [...(lists[0] ?? [])].filter((id) => lists.every((other) => other.has(id)));
      if (ids.length === 0) ids = [...new Set(lists.flatMap((other) => [...other]))];
      const hits = ids.flatMap((id) => hit(document(id), query, words));
      hits.sort((a, b) => b.hit.score - a.hit.score || (a.lei < b.lei ? -1 : 1));
      const from = query.after === null ? 0 : Number(query.after);
      const page = hits.slice(from, from + query.limit).map((item) => item.hit);
      const next = from + page.length < hits.length ? String(from + page.length) : null;
      return { outcome: 'hits', total: hits.length, hits: page, next };
    },
  };
}

function hit(
  document: SearchDocument,
  query: SearchQuery,
  words: readonly string[],
): { hit: SearchHit; lei: string }[] {
  if (query.country !== null && document.country !== query.country) return [];
  if (query.status !== null && document.registrationStatus !== query.status) return [];
  const scores = document.names.map(({ name }) => {
    const found = new Set(foldedWords(name));
    const common = words.filter((word) => found.has(word)).length;
    return common / (words.length + found.size - common);
  });
  const score = Math.max(0, ...scores);
  const nameIndex = Math.max(0, scores.indexOf(score));
  return [
    {
      hit: { entity: document.entity, score: Math.round(score * 10_000) / 10_000, nameIndex },
      lei: document.lei,
    },
  ];
}
