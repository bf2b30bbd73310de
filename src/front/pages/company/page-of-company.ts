/**
 * The common part of the pages below `/company/{lei}`: redirects an address in another case, and answers one without a
 * valid LEI.
 */
import type { Config } from '../../../config.ts';
import { dataPage, type PageAnswer, type PageDefinition, type Visit } from '../definition.ts';
import type { Place } from './parts.ts';
import { readLei } from './stray.ts';

/** Makes the page of a company whose LEI is well-formed. */
type ShowCompany = (place: Place, visit: Visit, lei: string) => Promise<PageAnswer>;

/** @param path of the page, including `{lei}` */
export function pageOfCompany(
  { basePath }: Pick<Config, 'basePath'>,
  path: string,
  show: ShowCompany,
): PageDefinition {
  return {
    ...dataPage,
    path,
    answer(visit) {
      const place = { basePath, baseUrl: visit.baseUrl };
      const reading = readLei(place, visit);
      return 'answer' in reading ? reading.answer : show(place, visit, reading.lei);
    },
  };
}
