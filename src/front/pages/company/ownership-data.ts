/** `/company/{lei}/ownership`: the data of the picture, for its script. */
import { checkLei } from '../../../lei/identifiers.ts';
import { ownershipDirections } from '../../../protocol/ext-questions.ts';
import { type PageAnswer, type PageDefinition, readingMethods, type Visit } from '../definition.ts';

export const ownershipData: PageDefinition = {
  path: '/company/{lei}/ownership',
  methods: readingMethods,
  counted: () => true,
  personal: false,
  answer,
};

/** @param visit `direction` is `up`, `down` or both with a comma; both if it is left out */
async function answer({ places, query, ask }: Visit): Promise<PageAnswer> {
  const check = checkLei(places['lei'] ?? '');
  if (!check.ok) return json(400, { detail: check.reason });
  const asked = (query.get('direction') ?? ownershipDirections.join()).split(',');
  const directions = ownershipDirections.filter((each) => asked.includes(each));
  const told = await ask({ kind: 'group', lei: check.value, directions });
  return told.outcome === 'found'
    ? json(200, told.data)
    : json(404, { detail: `No company has the LEI ${check.value}.` });
}

function json(status: number, data: object): PageAnswer {
  return { status, contentType: 'application/json', body: JSON.stringify(data) };
}
