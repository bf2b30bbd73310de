/**
 * Style sheets, scripts and pictures of the pages, from the folder `client`. Their addresses contain a digest of all of
 * them, so browsers cache them indefinitely. Scripts are TypeScript; only their types are removed, so they need no
 * build.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileDefinition, FinishedFile } from './definition.ts';

const folder = join(import.meta.dir, 'client');

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

interface Assets {
  /** Name → file, such as `home/suggest.js`. */
  readonly files: ReadonlyMap<string, FinishedFile>;
  readonly digest: string;
}

let read: Assets | null = null;

/** Read at the first call. */
function assets(): Assets {
  read ??= readAssets();
  return read;
}

/** Address of a file below the base path. @param name such as `home/suggest.js` @throws for a name that no file has */
export function assetAddress(name: string): string {
  fileCalled(name);
  return `/assets/${assets().digest}/${name}`;
}

/**
 * The files, each at its path with any digest. While nodes are updated one after the other, a page of another version
 * may ask here: it gets a file that is never cached.
 */
export function assetFiles(): readonly FileDefinition[] {
  return names().map((name) => ({
    path: `/assets/{digest}/${name}`,
    version: ({ digest }) =>
      digest === assets().digest ? 'public, max-age=31536000, immutable' : 'public, no-cache',
    make: (cache) => ({ ...fileCalled(name), headers: { 'Cache-Control': cache } }),
  }));
}

function fileCalled(name: string): FinishedFile {
  const file = assets().files.get(name);
  if (file === undefined) throw new Error(`No file of the pages is called ${name}.`);
  return file;
}

/** The files of the folder, by the names in their addresses. */
function filesInFolder(): readonly { readonly name: string; readonly file: string; readonly type: string }[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return files.flatMap((file) => {
    const name = file.replaceAll('\\', '/').replace(/\.ts$/, '.js');
    const type = types[name.split('.').at(-1) ?? ''];
    return type === undefined ? [] : [{ name, file, type }];
  });
}

function names(): readonly string[] {
  return [...filesInFolder().map(({ name }) => name), ...Object.keys(libraries)];
}

function readAssets(): Assets {
  const files = new Map<string, FinishedFile>();
  for (const { name, file, type } of filesInFolder()) {
    files.set(name, { contentType: type, body: contentOf(file) });
  }
  for (const [name, read] of Object.entries(libraries))
    files.set(name, { contentType: types['js'] ?? '', body: read() });
  return { files, digest: digestOf(files) };
}

function contentOf(file: string): string {
  const text = readFileSync(join(folder, file), 'utf8');
  if (!file.endsWith('.ts')) return text;
  const script = new Bun.Transpiler({
    loader: 'ts',
    target: 'browser',
    minifyWhitespace: true,
  }).transformSync(text);
  // Modules import each other, and libraries, by the names in their addresses.
  return script
    .replaceAll(/(from\s*|import\s*\(?)"(\.{1,2}\/[^"]+)\.ts"/g, '$1"$2.js"')
    .replaceAll(/(from\s*)"([a-z][a-z0-9-]*)"/g, `$1"${'../'.repeat(file.split('/').length - 1)}lib/$2.js"`);
}

/** Libraries of the scripts, as modules. Their own files put everything into one global object, `d3`. */
const libraries: Readonly<Record<string, () => string>> = {
  'lib/d3-hierarchy.js': () => {
    const file = join(dirname(require.resolve('d3-hierarchy')), '..', 'dist', 'd3-hierarchy.min.js');
    return `${readFileSync(file, 'utf8')}\nexport const { hierarchy, tree } = globalThis.d3;\n`;
  },
};

function digestOf(files: ReadonlyMap<string, FinishedFile>): string {
  const digest = new Bun.CryptoHasher('sha256');
  for (const [name, { body }] of files) digest.update(`${name}\n${body.length}\n`).update(body);
  return digest.digest('base64url').slice(0, 16);
}
