/**
 * Compiles the checks that every query thread, inspection and load makes, from their schemas: `bun run compile-checks`.
 * Threads and processes then do not read TypeBox: its 250 modules cost them more than the checks (decisions/172).
 */
import { writeFileSync } from 'node:fs';
import type { TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { ManifestSchema } from '../publication/manifest.ts';
import { MetaSchema } from './meta-schema.ts';

interface CheckSource {
  readonly schema: TSchema;
  /** The module that has the type of the same name, from `src`. */
  readonly module: string;
  readonly type: string;
}

const checks: readonly CheckSource[] = [
  { schema: ManifestSchema, module: 'publication/manifest', type: 'Manifest' },
  { schema: MetaSchema, module: 'store/meta-schema', type: 'Meta' },
];

/** The files of the checks, by path, with their text. Each stands beside the schema. */
export function compiledChecks(): readonly { readonly path: string; readonly text: string }[] {
  return checks.map((check) => ({
    path: `src/${check.module}.check.js`,
    text: compiled(check),
  }));
}

function compiled({ schema, module, type }: CheckSource): string {
  const [name = ''] = module.split('/').slice(-1);
  const code = TypeCompiler.Code(schema)
    .replaceAll(/\bformat\(('[^']+'), /g, 'formats[$1](')
    .replace('return function check', `${typeOfCheck(name, type)}\nexport const is${type} = function check`);
  return `// \`bun run compile-checks\` makes this file from ${name}.ts.\nimport { formats } from '../lei/formats.ts';\n\n${code}\n`;
}

function typeOfCheck(name: string, type: string): string {
  return `/** @type {(value: unknown) => value is import('./${name}.ts').${type}} */`;
}

if (import.meta.main) {
  for (const { path, text } of compiledChecks())
    writeFileSync(new URL(`../../${path}`, import.meta.url), text);
}
