/** Resolves a typed identifier of a kind other than LEI. */
import { identifierKinds, mappingTable } from '../../../lei/identifier-kinds.ts';
import type { Visit } from '../definition.ts';

export interface Identified {
  /** Such as `ISIN DE0005140008`. */
  readonly name: string;
  readonly companies: readonly { readonly lei: string; readonly name: string | null }[];
  /** True if the text can't be a name. */
  readonly sure: boolean;
}

/** Null if the text is not an identifier, or may be a name and leads to no company. */
export async function identified({ ask }: Visit, text: string): Promise<Identified | null> {
  const compact = text.replaceAll(/[\s.-]+/g, '');
  const all = await Promise.all(
    identifierKinds.map(async (kind): Promise<Identified | null> => {
      const { check: checked, unlikeNames: sure } = mappingTable[kind];
      const check = checked(compact);
      if (!check.ok) return null;
      const told = await ask({ kind, value: check.value });
      const name = `${kind.toUpperCase()} ${check.value}`;
      if (told.outcome === 'found') return { name, companies: told.data.entities, sure };
      return kind === 'isin' ? { name, companies: [], sure: true } : null;
    }),
  );
  return all.find((one) => one !== null) ?? null;
}
