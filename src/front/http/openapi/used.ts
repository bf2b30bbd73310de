/** Removes components that nothing in a description refers to. */
import type { JsonObject } from '../../json.ts';

interface WithComponents {
  readonly components: Readonly<Record<string, JsonObject>>;
}

export function onlyUsed<Document extends WithComponents>(document: Document): Document {
  const { components, ...rest } = document;
  const used = new Set(referencesIn(rest));
  // The set grows during the loop: each component adds those that it refers to.
  for (const reference of used) {
    const [section = '', name = ''] = reference.split('/').slice(2);
    for (const further of referencesIn(components[section]?.[name] ?? null)) used.add(further);
  }
  const kept = Object.entries(components).map(([section, members]) => {
    const isUsed = (name: string) =>
      section === 'securitySchemes' || used.has(`#/components/${section}/${name}`);
    return [section, Object.fromEntries(Object.entries(members).filter(([name]) => isUsed(name)))] as const;
  });
  return { ...document, components: Object.fromEntries(kept) };
}

function referencesIn(value: unknown): readonly string[] {
  const found = JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g);
  return Array.from(found, ([, reference = '']) => reference);
}
