/** `/company/{lei}/ownership`: the data of the picture, for its script. */
import { checkLei } from '../../../lei/identifiers.ts';
import { ownershipDirections } from '../../../protocol/ext-questions.ts';
import { dataPage, json, type PageAnswer, type PageDefinition, type Visit } from '../definition.ts';

export const ownershipData: PageDefinition = { ...dataPage, path: '/company/{lei}/ownership', answer };

/** @param visit `direction` is `up`, `down` or both with a comma; both if it is left out */
async function answer({ places, query, ask }: Visit): Promise<PageAnswer> {
  const check = checkLei(places['lei'] ?? '');
  if (!check.ok) return json({ detail: check.reason }, 400);
  const asked = (query.get('direction') ?? ownershipDirections.join()).split(',');
  const directions = ownershipDirections.filter((each) => asked.includes(each));
  const told = await ask({ kind: 'group', lei: check.value, directions });
  return told.outcome === 'found'
    ? json(told.data)
    : json({ detail: `No company has the LEI ${check.value}.` }, 404);
}
