/** Checks the shape of the code: which way imports go, and what the code must not contain. */
import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import packageJson from '../package.json' with { type: 'json' };
import packageLock from '../package-lock.json' with { type: 'json' };
import { allSettings, type Setting } from '../src/settings/table.ts';
import {
  exportsOf,
  filesBelow,
  importCycles,
  importsOf,
  placesOf,
  placesWhere,
  readText,
  root,
  sourceFiles,
  typesOf,
  usesOf,
} from './support/source-tree.ts';

const production = sourceFiles('src', 'workers');
const everything = [...production, ...sourceFiles('test')];
const imports = production.flatMap(importsOf);

/** Fails with the places and with advice. */
function expectNone(places: readonly string[], advice: string): void {
  expect(places, `${advice}\n  ${places.join('\n  ')}\n`).toEqual([]);
}

/**
 * Which layer may import which, as src/ARCHITECTURE.md says. A layer is a folder of src or a single file beside them; a
 * folder with a row of its own is a layer apart from the folder around it. A rule that names a folder means those below
 * it too. Within a layer, any file may import any other, except in a circle.
 */
function layersIn(page: string): Readonly<Record<string, readonly string[]>> {
  const named = (text = '') => Array.from(text.matchAll(/`([\w./-]+?)\/?`/g), ([, name = '']) => name);
  const nouns = named(/^The nouns are (.*?`)\.$/ms.exec(page)?.[1]);
  const tree = page.slice(page.indexOf('## The tree'), page.indexOf('The nouns are'));
  const rows = Array.from(
    tree.matchAll(/^\| `(?:\.\.\/)?([\w./-]+?)\/?` +\|[^|]*\|([^|]*)\|$/gm),
    ([, layer = '', rule = '']) => ({ layer, rule }),
  );
  const below = (folder: string) => [
    folder,
    ...rows.flatMap(({ layer }) => (layer.startsWith(`${folder}/`) ? [layer] : [])),
  ];
  return Object.fromEntries(
    rows.map(({ layer, rule }) => [
      layer,
      [...named(rule).flatMap(below), ...(rule.includes('the nouns') ? nouns : [])],
    ]),
  );
}
const layers = layersIn(readText('src/ARCHITECTURE.md'));

/** The row that says most of a path. A path without a row is its top folder. */
function layerOf(path: string): string {
  const name = path.replace(/^src\//, '');
  const [top = ''] = name.split('/');
  const rows = Object.keys(layers).filter((layer) => name === layer || name.startsWith(`${layer}/`));
  return rows.reduce((best, row) => (row.length > best.length ? row : best), top);
}

/** Each holds the contents of a family of routes. */
const families = ['api', 'reconcile', 'site'];

describe('imports', () => {
  test('go down the layers only', () => {
    const upward = imports.filter(({ from, to, own }) => {
      const [layer, target] = [layerOf(from), layerOf(to)];
      return own && layer !== target && target !== 'package.json' && !layers[layer]?.includes(target);
    });
    expectNone(
      upward.map(({ from, to }) => `${from} imports ${to}`),
      'A layer may only import those that the table in src/ARCHITECTURE.md lists for it. Code that two layers need belongs below both:',
    );
  });

  test('never join the front, the query threads, the loader and the generator with each other', () => {
    const apart = ['front', 'query', 'loader', 'generate'];
    for (const layer of apart) {
      expect(layers[layer]?.filter((target) => apart.includes(target))).toEqual([]);
    }
    for (const layer of [...families, 'http', 'openapi', 'front']) {
      expect(layers[layer]).not.toContain('store');
      expect(layers[layer]).not.toContain('lmdb.ts');
    }
  });

  test('never join one family of routes with another: they share what is in http', () => {
    for (const family of families) {
      const others = [...families, 'front', 'openapi'].filter((layer) => layer !== family);
      expect(
        layers[family]?.filter((target) => others.includes(target) || target.startsWith('serve')),
      ).toEqual([]);
    }
  });

  test('of layers form no cycle: each layer imports only layers above it in the table of src/ARCHITECTURE.md', () => {
    const order = Object.keys(layers);
    expect(order.length).toBeGreaterThan(30);
    for (const [index, layer] of order.entries()) {
      const below = layers[layer]?.filter((target) => !order.slice(0, index).includes(target));
      expect(below, `${layer} may import what stands below it, or what has no row`).toEqual([]);
    }
    const existing = [...new Set(production.map(({ path }) => layerOf(path)))];
    expect(order.toSorted(), 'The table has a row for each layer, and no other').toEqual(existing.toSorted());
  });

  test('of files never form a cycle, types included', () => {
    const cycles = importCycles(imports.filter(({ own }) => own));
    expectNone(
      cycles.map((files) => files.join(', ')),
      'Each of these files imports the others, directly or not. Move what they share into a file below them:',
    );
  });

  test('are reported when they form a cycle, however long it is', () => {
    const chain = ['ab', 'bc', 'cd'].map(([from = '', to = '']) => ({ from, to }));
    expect(importCycles(chain)).toEqual([]);
    expect(importCycles([...chain, { from: 'd', to: 'b' }])).toEqual([['b', 'c', 'd']]);
    expect(importCycles([{ from: 'a', to: 'a' }])).toEqual([['a']]);
  });

  test('of our own files name the file with its extension', () => {
    expectNone(
      imports
        .filter(({ to, own }) => own && !/\.\w+$/.test(to))
        .map(({ from, to }) => `${from} imports ${to}`),
      'Write the extension:',
    );
  });
});

/** The files or folders that may import each library. */
const doors: Readonly<Record<string, readonly string[]>> = {
  lmdb: ['src/lmdb.ts'],
  elysia: ['src/http'],
  '@elysiajs/cors': ['src/http'],
  flexsearch: ['src/store/search/text'],
  'any-ascii': ['src/lei/names/transliterate.ts'],
  'iso-3166': ['src/lei/countries.ts', 'src/lei/places-of-iso.ts'],
  'opencc-js': ['src/lei/names/han-variants.ts'],
  commander: ['src/commands/frame.ts'],
  'cli-progress': ['src/commands'],
  pino: ['src/log/log.ts'],
  '@modelcontextprotocol/sdk': ['src/commands/mcp.ts'],
  marked: ['src/site/guides/markdown.ts'],
  saxes: ['src/loader/parse/xml'],
  yauzl: ['src/loader/parse/input'],
  'hyparquet-writer': ['src/export/parquet.ts'],
  yazl: ['src/generate/files/zip-writer.ts'],
  validator: ['src/accounts/state'],
  'ipaddr.js': ['src/ip-addresses.ts'],
  'swagger-ui-dist': ['src/site'],
  'd3-hierarchy': ['src/site/client/company'],
  bun: ['src/protocol', 'src/http'],
  '@opentelemetry/api': ['src/tracing/opentelemetry.ts'],
  '@opentelemetry/core': ['src/tracing/opentelemetry.ts'],
  '@opentelemetry/exporter-trace-otlp-http': ['src/tracing/opentelemetry.ts'],
  '@opentelemetry/exporter-trace-otlp-proto': ['src/tracing/opentelemetry.ts'],
  '@opentelemetry/resources': ['src/tracing/opentelemetry.ts'],
  '@opentelemetry/sdk-trace': ['src/tracing/opentelemetry.ts'],
  'bun:ffi': ['src/system'],
  iovalkey: ['src/accounts/shared-state/connection.ts'],
  'node:worker_threads': ['src/serve/threads'],
  // Schemas of data from and to the outside.
  '@sinclair/typebox': ['src'],
};

const inPlace = (path: string, places: readonly string[]) =>
  places.some((place) => path === place || path.startsWith(`${place}/`));

/** The package of an import: `@sinclair/typebox/value` belongs to `@sinclair/typebox`. */
function packageOf(to: string): string {
  const parts = to.split('/');
  return to.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
}

const foreign = imports.filter(({ own, to }) => !own && !to.startsWith('node:'));

describe('libraries', () => {
  test('are imported through their own doors only', () => {
    const restricted = imports.filter(({ own, to }) => !own && doors[packageOf(to)] !== undefined);
    const around = restricted.filter(({ from, to }) => !inPlace(from, doors[packageOf(to)] ?? []));
    expectNone(
      around.map(({ from, to }) => `${from} imports ${to}`),
      'Each library has its door (`doors` in this test); the rest of the code speaks our own words:',
    );
  });

  test('all have a door and are listed in package.json', () => {
    const listed = Object.keys(packageJson.dependencies);
    // A module of Bun's own, such as `bun:ffi`, belongs to the package `bun`.
    const isListed = (to: string) => listed.includes(packageOf(to).replace(/^bun:.*$/, 'bun'));
    const odd = foreign.filter(({ to }) => !isListed(to) || doors[packageOf(to)] === undefined);
    expectNone(
      odd.map(({ from, to }) => `${from} imports ${to}`),
      'List the package in package.json (dependencies) and give it a door in this test:',
    );
  });

  test('in package.json are all used', () => {
    const used = new Set(foreign.map(({ to }) => packageOf(to)));
    const text = production.map((file) => file.text).join('\n');
    const idle = Object.keys(packageJson.dependencies).filter(
      (name) => !used.has(name) && !text.includes(`${name}/`),
    );
    expectNone(idle, 'Nothing imports these:');
  });

  test('start threads in six folders only', () => {
    const places = [
      'src/serve/threads',
      'src/loader/search',
      'src/loader/digest',
      'src/loader/threads',
      'src/generate/threads',
      'src/match-file',
    ];
    const starts = production.flatMap((file) =>
      placesWhere(
        file,
        (node) => ts.isNewExpression(node) && node.expression.getText(file.tree) === 'Worker',
      ),
    );
    expectNone(
      starts.filter((start) => !inPlace(start, places)),
      'Only src/serve/threads, for a load src/loader/search, src/loader/digest and src/loader/threads, for generated files src/generate/threads, and for a file src/match-file start threads:',
    );
  });

  test('do not read the environment: programs read it at their start', () => {
    const readers = [
      'src/commands/frame.ts',
      // Their processes have the caller's environment, with other settings of the engine.
      'src/loader/command/run-loader.ts',
      'src/serve/swap/inspect-publication.ts',
      // The names that every S3 tool reads.
      'src/shipping/s3-store.ts',
    ];
    const places = production.flatMap((file) => placesOf(file, /\bprocess\.env\b|\bBun\.env\b/g));
    expectNone(
      places.filter((place) => !readers.includes(place.split(':')[0] ?? '')),
      'Settings come from the Config that readConfig makes of the environment:',
    );
  });
});

function isDoubleCast(node: ts.Node): boolean {
  return ts.isAsExpression(node) && ts.isAsExpression(unwrapped(node.expression));
}

function unwrapped(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ? unwrapped(node.expression) : node;
}

describe('exports', () => {
  test('are all imported by another file, types included', () => {
    const used = new Set(everything.flatMap(usesOf));
    const isUsed = (path: string, name: string) => used.has(`${path}#${name}`) || used.has(`${path}#*`);
    const dead = production.flatMap(({ path, tree }) =>
      exportsOf(tree)
        .filter((name) => !isUsed(path, name))
        .map((name) => `${path} exports ${name}`),
    );
    expectNone(dead, 'Nobody imports these: take the word `export` away, or delete what nobody uses:');
  });
});

describe('types', () => {
  test('of two files never share a name', () => {
    const files = Map.groupBy(
      production.flatMap(({ path, tree }) => typesOf(tree).map((name) => ({ name, path }))),
      ({ name }) => name,
    );
    const shared = Array.from(files.entries()).filter(([, places]) => places.length > 1);
    expectNone(
      shared.map(([name, places]) => `${name}: ${places.map(({ path }) => path).join(', ')}`),
      'Each of these names means two things. Name a type for what it holds:',
    );
  });
});

describe('the code', () => {
  test('has no any, no double cast and no non-null assertion', () => {
    const kinds = [ts.SyntaxKind.AnyKeyword, ts.SyntaxKind.NonNullExpression];
    const places = everything.flatMap((file) =>
      placesWhere(file, (node) => kinds.includes(node.kind) || isDoubleCast(node)),
    );
    expectNone(places, 'Say what the value is, or check it where it comes in:');
  });

  test('silences neither the compiler nor the linter nor a test', () => {
    const compiler = /@ts-(?:ignore|expect-error|nocheck)\b/g;
    const linter = /biome-ignore(?! lint\/\S+: \S)/g;
    const skipped = /\b(?:test|describe|it)\.(?:skip|todo|only|failing)\b/g;
    // This file contains the patterns.
    const files = everything.filter(({ path }) => path !== 'test/tidy.test.ts');
    expectNone(
      files.flatMap((file) => [compiler, linter, skipped].flatMap((pattern) => placesOf(file, pattern))),
      'Mend the cause (a biome-ignore needs its rule and its reason):',
    );
  });

  test('has no notes about unfinished work', () => {
    const files = everything.filter(({ path }) => path !== 'test/tidy.test.ts');
    expectNone(
      files.flatMap((file) => placesOf(file, /\b(?:TODO|FIXME|HACK)\b/g)),
      'Do it now, or write down in a decision page why not:',
    );
  });

  test('writes results and messages through the command frame and the log, never to the console', () => {
    const places = production.flatMap((file) =>
      placesWhere(
        file,
        (node) => ts.isPropertyAccessExpression(node) && node.expression.getText(file.tree) === 'console',
      ),
    );
    expectNone(places, 'Use the context of the command, or the log:');
  });

  test('has files of limited length', () => {
    // Lists of words are data, and tests are lists of cases.
    const code = everything.filter(({ path }) => !path.startsWith('src/generate/vocabulary/'));
    const linesMax = (path: string) => (path.startsWith('test/') ? 500 : 400);
    const long = code.filter(({ path, text }) => text.split('\n').length > linesMax(path));
    expectNone(
      long.map(({ path, text }) => `${path} has ${text.split('\n').length} lines, at most ${linesMax(path)}`),
      'Split these by what changes together:',
    );
  });

  test('contains no paths of the machine it was written on', () => {
    const texts = [...filesBelow('src'), ...filesBelow('workers'), ...filesBelow('test'), ...pages]
      .filter((path) => /\.(?:ts|md|sh|txt|html|css|json)$/.test(path))
      .map((path) => ({ path, text: readText(path) }));
    const machine = /(?<![\w.-])\/(?:work|tmp|root|home|Users)\//g;
    expectNone(
      texts.filter(({ path }) => path !== 'test/tidy.test.ts').flatMap((file) => placesOf(file, machine)),
      'Use os.tmpdir(), import.meta.dir or a setting:',
    );
  });
});

const pages = ['README.md', 'package.json'];

describe('dependencies', () => {
  const listed = { ...packageJson.dependencies, ...packageJson.devDependencies };

  test('are pinned to one exact version', () => {
    const loose = Object.entries(listed).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version),
    );
    expectNone(
      loose.map(([name, version]) => `${name} ${version}`),
      'Write the version that was tested:',
    );
  });

  test('have the versions of the lock file', () => {
    const [own] = Object.values(packageLock.packages) as {
      dependencies?: object;
      devDependencies?: object;
    }[];
    expect({ ...own?.dependencies, ...own?.devDependencies }).toEqual(listed);
    const installed = new Map<string, { version?: string }>(Object.entries(packageLock.packages));
    for (const [name, version] of Object.entries(listed)) {
      expect(installed.get(`node_modules/${name}`)?.version, `${name} in package-lock.json`).toBe(version);
    }
  });

  test('are locked with the optional packages of every platform, because npm ci refuses the lock file otherwise', () => {
    const locked: Readonly<Record<string, { version?: string; optionalDependencies?: object }>> =
      packageLock.packages;
    const missing = Object.entries(locked).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.entries(optionalDependencies)
        .filter(
          ([name]) => !(`node_modules/${name}` in locked) && !(`${path}/node_modules/${name}` in locked),
        )
        .map(([name, version]) => `${name} ${version}, for ${path}`),
    );
    expectNone(missing, 'Add entries with version, cpu, os and optional to package-lock.json:');
  });

  test('are locked without download addresses, so that any mirror of the registry works', () => {
    const text = readText('package-lock.json');
    const own = { path: 'package-lock.json', text };
    expectNone(
      placesOf(own, /"resolved"|https?:\/\/registry\./g),
      'Remove the addresses (omit-lockfile-registry-resolved):',
    );
  });
});

describe('the pages', () => {
  test('of decisions are all listed in the architecture page, and all listed ones exist', () => {
    const architecture = readText('src/ARCHITECTURE.md');
    const decisions = filesBelow('src/decisions').map((path) => path.replace('src/', ''));
    expectNone(
      decisions.filter((path) => !architecture.includes(path)),
      'List them in src/ARCHITECTURE.md:',
    );
    const linked = Array.from(architecture.matchAll(/decisions\/[\w-]+\.md/g), ([path]) => path);
    expectNone(
      linked.filter((path) => !decisions.includes(path)),
      'src/ARCHITECTURE.md lists pages that do not exist:',
    );
  });

  test('show every setting in the README as the table of settings has it, and no other', () => {
    const readme = readText('README.md');
    const rows = readme.split('\n').filter((line) => line.startsWith('| `LEI_'));
    expect(rows.map((row) => row.replaceAll(/ {2,}/g, ' '))).toEqual(allSettings.map(readmeRow));
    const known = new Set<string>(allSettings.map(({ variable }) => variable));
    const named = new Set(Array.from(readme.matchAll(/\bLEI_[A-Z_]+\b/g), ([name]) => name));
    expectNone(
      [...named].filter((name) => !known.has(name)),
      'The README names settings that settings/table.ts does not know:',
    );
  });

  test('have no dead links to files of the project', () => {
    const documents = [
      'README.md',
      ...['docs', 'src', 'test'].flatMap((folder) =>
        filesBelow(folder).filter((path) => path.endsWith('.md')),
      ),
    ];
    const dead = documents.flatMap((path) => deadLinks(path));
    expectNone(dead, 'These links lead nowhere:');
  });
});

function readmeRow({ variable, standard, standardText, about }: Setting): string {
  const byDefault = standardText ?? (standard === '' ? '' : `\`${standard}\``);
  return `| \`${variable}\` | ${byDefault} | ${about} |`.replaceAll(/ {2,}/g, ' ');
}

function deadLinks(path: string): string[] {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
  const links = Array.from(
    readText(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g),
    ([, link = '']) => link,
  );
  return links.filter((link) => !existsSync(join(root, folder, link))).map((link) => `${path} -> ${link}`);
}
