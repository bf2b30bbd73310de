/**
 * `/suggest?q=…`: companies for a text while it is typed, for the search form's script. The API's /ext/v1/suggest asks
 * the same question.
 */
import { type PageDefinition, readingMethods, type Sent } from '../definition.ts';
import { hasRightLength, textOf } from './results.ts';

export const suggestions: PageDefinition = {
  path: '/suggest',
  methods: readingMethods,
  counted: () => true,
  personal: false,
  async answer({ query, ask }) {
    const q = textOf(query);
    if (!hasRightLength(q)) return json({ items: [] });
    const told = await ask({ kind: 'suggest', q });
    return json(told.outcome === 'found' ? told.data : { items: [] });
  },
};

function json(data: object): Sent {
  return { status: 200, contentType: 'application/json', body: JSON.stringify(data) };
}
