/** Makes small mistakes in source files: an operator swapped, a bound moved, a condition negated. */
import ts from 'typescript';
import { randomOf } from '../attacks/attack.ts';
import type { SourceFile } from '../support/source-tree.ts';

export interface Mutant {
  readonly path: string;
  /** One line of the file, which has no second like it, and the line with the mistake. */
  readonly line: string;
  readonly mutant: string;
}

const swapped: Readonly<Partial<Record<ts.SyntaxKind, string>>> = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
  [ts.SyntaxKind.PlusToken]: '-',
  [ts.SyntaxKind.MinusToken]: '+',
};

/** All mutants of a file whose mistake lies within one line. */
export function mutantsOf({ path, text, tree }: SourceFile): Mutant[] {
  const mutants: Mutant[] = [];
  const add = (from: number, to: number, mistake: string) => {
    const start = text.lastIndexOf('\n', from - 1) + 1;
    const end = (text.indexOf('\n', to) + text.length) % text.length;
    const line = text.slice(start, end);
    const isAlone = text.indexOf(line) === text.lastIndexOf(line);
    if (line.includes('\n') || !isAlone) return;
    mutants.push({ path, line, mutant: text.slice(start, from) + mistake + text.slice(to, end) });
  };
  const negate = (condition: ts.Expression) =>
    add(condition.getStart(tree), condition.end, `!(${condition.getText(tree)})`);
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const other = swapped[node.operatorToken.kind];
      const { operatorToken: token } = node;
      if (other !== undefined) add(token.getStart(tree), token.end, other);
    }
    if (isMovableNumber(node)) {
      const moved = Number(node.text.replaceAll('_', '')) + 1;
      add(node.getStart(tree), node.end, String(moved));
    }
    if (ts.isIfStatement(node) || ts.isWhileStatement(node)) negate(node.expression);
    if (ts.isConditionalExpression(node)) negate(node.condition);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return mutants;
}

/** Not a number after `??`, which mostly only satisfies the type: the element of the array is never missing. */
function isMovableNumber(node: ts.Node): node is ts.NumericLiteral {
  if (!ts.isNumericLiteral(node)) return false;
  const { parent } = node;
  const isFallback =
    ts.isBinaryExpression(parent) &&
    parent.right === node &&
    parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken;
  return !isFallback;
}

/** So many of them, chosen by the seed. */
export function sampleOf(all: readonly Mutant[], count: number, seed: number): Mutant[] {
  const random = randomOf(seed);
  return all
    .map((mutant) => ({ mutant, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

/** @throws if the file has not that line once */
export function mutated(text: string, { path, line, mutant }: Mutant): string {
  const pieces = text.split(line);
  if (pieces.length !== 2) throw new Error(`${path} has not the line ${line} once.`);
  return pieces.join(mutant);
}
