/** Parses the project's source files, for tests of the shape of the code. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import ts from 'typescript';

export const root = join(import.meta.dir, '../..');

export interface SourceFile {
  /** Relative to the project's folder, as src/lei/codes.ts. */
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

export interface Import {
  readonly from: string;
  /** For our own files the path from the project's folder, otherwise the name of the package. */
  readonly to: string;
  readonly own: boolean;
}

/** All TypeScript files below some folders of the project. */
export function sourceFiles(...folders: readonly string[]): SourceFile[] {
  return folders
    .flatMap(filesBelow)
    .filter((path) => path.endsWith('.ts'))
    .map(parse);
}

/** Paths of all files below a folder of the project, without node_modules. */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.includes('node_modules/'))
    .sort();
}

export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function parse(path: string): SourceFile {
  const text = readText(path);
  return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true) };
}

/** Every import of a file, type imports included. */
export function importsOf(file: SourceFile): Import[] {
  const { importedFiles } = ts.preProcessFile(file.text, true, true);
  return importedFiles.map(({ fileName }) => {
    const own = fileName.startsWith('.');
    const to = own ? normalize(join(dirname(file.path), fileName)) : fileName;
    return { from: file.path, to, own };
  });
}

/** The groups of files that import each other, directly or through others, each sorted by path. */
export function importCycles(imports: readonly Pick<Import, 'from' | 'to'>[]): string[][] {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const reached = new Map([...targets.keys()].map((file) => [file, reachedFrom(file, targets)]));
  return [...reached].flatMap(([file, others]) => {
    const cycle = [...others].filter((other) => reached.get(other)?.has(file)).sort();
    return cycle[0] === file ? [cycle] : [];
  });
}

/** The files that a file imports, directly or through others; itself only if it is in a cycle. */
function reachedFrom(file: string, targets: ReadonlyMap<string, readonly Pick<Import, 'to'>[]>): Set<string> {
  const reached = new Set<string>();
  const visit = (from: string): void => {
    for (const { to } of targets.get(from) ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      visit(to);
    }
  };
  visit(file);
  return reached;
}

/** `path:line` of every node that matches. */
export function placesWhere(file: SourceFile, matches: (node: ts.Node) => boolean): string[] {
  const places: string[] = [];
  const visit = (node: ts.Node): void => {
    if (matches(node)) places.push(placeOf(file, node.getStart(file.tree)));
    ts.forEachChild(node, visit);
  };
  visit(file.tree);
  return places;
}

/** `path:line` of every match of a pattern in the text. */
export function placesOf(file: { path: string; text: string }, pattern: RegExp): string[] {
  return Array.from(file.text.matchAll(pattern), ({ index }) => {
    const line = file.text.slice(0, index).split('\n').length;
    return `${file.path}:${line}`;
  });
}

function placeOf(file: SourceFile, position: number): string {
  return `${file.path}:${file.tree.getLineAndCharacterOfPosition(position).line + 1}`;
}

/** The exported names of a file's statements. */
export function exportsOf(tree: ts.SourceFile): string[] {
  return tree.statements.flatMap((statement) => {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    const exported = modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    return exported ? declaredNames(statement) : [];
  });
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  return ts.isDeclarationStatement(statement) && statement.name ? [statement.name.getText()] : [];
}

/** What a file imports from others, as `path#name`; `path#*` for a whole file. */
export function usesOf(file: SourceFile): string[] {
  const uses: string[] = [];
  const use = (module: ts.Expression | undefined, names: readonly string[]): void => {
    if (module === undefined || !ts.isStringLiteral(module)) return;
    const path = normalize(join(dirname(file.path), module.text));
    for (const name of names) uses.push(`${path}#${name}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) use(node.moduleSpecifier, namesIn(node.importClause?.namedBindings));
    else if (ts.isExportDeclaration(node)) use(node.moduleSpecifier, namesIn(node.exportClause));
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      use(ts.isStringLiteral(node.argument.literal) ? node.argument.literal : undefined, ['*']);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      use(node.arguments[0], ['*']);
    }
    ts.forEachChild(node, visit);
  };
  visit(file.tree);
  return uses;
}

/** Names as the other file has them; `*` for all of its names. */
function namesIn(bindings: ts.NamedImportBindings | ts.NamedExportBindings | undefined): string[] {
  if (bindings === undefined || !('elements' in bindings)) return ['*'];
  return [...bindings.elements].map(({ name, propertyName }) => (propertyName ?? name).getText());
}

/** The types that a file defines at its top level. */
export function typesOf(tree: ts.SourceFile): string[] {
  return tree.statements.flatMap((statement) =>
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isClassDeclaration(statement)
      ? [statement.name?.text ?? '']
      : [],
  );
}
