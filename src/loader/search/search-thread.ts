/**
 * Runs in the search thread: receives companies while files are still being read, and makes the rows of their index. It
 * opens no environment, so it may be terminated at any moment.
 */
import { isRecord, searchFactsOf } from '../../store/company-record.ts';
import { type PreparedCompany, prepareCompany } from '../../store/search/build/prepared-company.ts';
import type { RowBlock } from '../../store/search/build/rows.ts';
import type { IndexShape } from '../../store/search/format.ts';
import { createSearchBuilder } from '../../store/search/search-builder.ts';
import type { SearchLinks } from '../../store/search/search-reader.ts';
import { collectGarbage } from '../build/memory.ts';
import { type CompanyTexts, textsIn } from '../company-texts.ts';
import type { PreparedBlock } from '../rows.ts';

/** The number of companies after which the garbage of their texts is collected. */
const companiesPerCollection = 250_000;

/** To the thread. */
export type SearchTask =
  /** Texts of the entities table; those that are not records are skipped. */
  | { readonly task: 'add'; readonly texts: CompanyTexts }
  /** Companies that are prepared for the index. */
  | { readonly task: 'add-prepared'; readonly blocks: readonly PreparedBlock[] }
  /** Forget all companies. */
  | { readonly task: 'restart' }
  /** Make the index. The last task. */
  | { readonly task: 'finish'; readonly links: SearchLinks };

/** From the thread while it makes the index. */
export type SearchNews =
  | { readonly news: 'progress'; readonly share: number }
  | { readonly news: 'rows'; readonly block: RowBlock };

/** The answer to `finish`, after all rows; to companies it is null once they are added. */
export type SearchAnswer = { readonly shape: IndexShape; readonly countries: readonly string[] } | null;

type Tell = (news: SearchNews) => void;

const decoder = new TextDecoder();

/** @returns the function to call with each task */
export function searchThread(): (task: SearchTask, tell: Tell) => SearchAnswer | undefined {
  let builder = createSearchBuilder();
  let companies = 0;
  /** Of legal addresses. */
  let countries = new Set<string>();

  const add = (entity: number, company: PreparedCompany) => {
    if (company.country !== null) countries.add(company.country);
    builder.add(entity, company);
    if (++companies % companiesPerCollection === 0) collectGarbage(companies);
  };
  const addText = (entity: number, text: string) => {
    if (isRecord(text)) add(entity, prepareCompany(searchFactsOf(text)));
  };
  const addPrepared = ({ entities, json }: PreparedBlock) => {
    const prepared: readonly PreparedCompany[] = JSON.parse(decoder.decode(json));
    for (const [place, company] of prepared.entries()) {
      const entity = entities[place] ?? 0;
      if (entity !== 0) add(entity, company);
    }
  };
  const finish = (links: SearchLinks, tell: Tell) => {
    const shape = builder.finish(
      links,
      (block) => tell({ news: 'rows', block }),
      (done) => {
        tell({ news: 'progress', share: done / Math.max(1, companies) });
        // Collect between the steps, each of which makes strings of all words.
        collectGarbage(companies);
      },
    );
    return { shape, countries: [...countries].sort() };
  };
  return (task, tell) => {
    switch (task.task) {
      case 'add':
        for (const [entity, text] of textsIn(task.texts)) addText(entity, text);
        return null;
      case 'add-prepared':
        for (const block of task.blocks) addPrepared(block);
        return null;
      case 'restart':
        builder = createSearchBuilder();
        companies = 0;
        countries = new Set();
        return undefined;
      case 'finish':
        return finish(task.links, tell);
    }
  };
}
