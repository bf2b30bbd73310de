/**
 * `/suggest?q=…`: companies for a text while it is typed, for the search form's script. The API's /ext/v1/suggest asks
 * the same question.
 */
import { dataPage, json, type PageDefinition } from '../definition.ts';
import { hasRightLength, textOf } from './results.ts';

export const suggestions: PageDefinition = {
  ...dataPage,
  path: '/suggest',
  async answer({ query, ask }) {
    const q = textOf(query);
    if (!hasRightLength(q)) return json({ items: [] });
    const told = await ask({ kind: 'suggest', q });
    return json(told.outcome === 'found' ? told.data : { items: [] });
  },
};
