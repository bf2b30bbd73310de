import { foldedWords } from '../../lei/names/fold.ts';
import { append, bytesTable, type Environment, textTable } from '../../lmdb.ts';
import type { SearchBuilder, SearchDocument } from './search-reader.ts';

/** Collects the companies of a publication and writes their search index. */
export function createSearchBuilder(environment: Environment): SearchBuilder {
  const documents: SearchDocument[] = [];
  return {
    add: (document) => {
      documents.push(document);
    },
    finish: (progress) => {
      documents.sort((a, b) => rank(b) - rank(a) || (a.lei < b.lei ? -1 : 1));
      environment.transactionSync(() => writeIndex(environment, documents, progress));
    },
  };
}

function rank(document: SearchDocument): number {
  const live = document.entityStatus === 'ACTIVE' && document.registrationStatus === 'ISSUED';
  return (live ? 1 : 0) + (document.directChildren > 0 ? 1 : 0);
}

function writeIndex(
  environment: Environment,
  documents: readonly SearchDocument[],
  progress: (done: number) => void,
): void {
  const terms = new Map<string, number[]>();
  const table = textTable(environment, 'searchDocuments', 'uint32');
  documents.forEach((document, id) => {
    append(table, id, JSON.stringify(document));
    const identifiers = [document.lei, document.registeredAs ?? '', ...document.bics];
    const texts = [...document.names.map(({ name }) => name), ...identifiers];
    for (const word of new Set(texts.flatMap(foldedWords))) {
      const list = terms.get(word.slice(0, 100));
      if (list === undefined) terms.set(word.slice(0, 100), [id]);
      else list.push(id);
    }
    if (id % 1000 === 0) progress(id);
  });
  const postings = bytesTable(environment, 'searchTerms', 'binary');
  const keys = [...terms.keys()].map((term) => Buffer.from(term)).sort(Buffer.compare);
  for (const key of keys) {
    append(postings, key, Buffer.from(new Uint32Array(terms.get(key.toString()) ?? []).buffer));
  }
  progress(documents.length);
}
