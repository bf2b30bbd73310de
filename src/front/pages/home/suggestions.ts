/** `/suggest?q=…`: companies for a text as it is typed, for the search form's script. The API's /ext/v1/suggest asks the same. */
import { searchTextMax, searchTextMin } from '../../../protocol/questions.ts';
import { type PageDefinition, readingMethods, type Sent } from '../definition.ts';

export const suggestions: PageDefinition = {
  path: '/suggest',
  methods: readingMethods,
  counted: () => true,
  personal: false,
  async answer({ query, ask }) {
    const q = (query.get('q') ?? '').trim();
    const { length } = Array.from(q);
    if (length < searchTextMin || length > searchTextMax) return json({ items: [] });
    const told = await ask({ kind: 'suggest', q });
    return json(told.outcome === 'found' ? told.data : { items: [] });
  },
};

function json(data: object): Sent {
  return { status: 200, contentType: 'application/json', body: JSON.stringify(data) };
}
