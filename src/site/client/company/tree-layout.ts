/**
 * Places a group as a tree, for wide windows: owners above, children below in rows or, if there are many, in stacks.
 */
import { hierarchy, tree } from 'd3-hierarchy';
import { type Group, type Kind, kinds } from './group.ts';
import { Above, addOtherLines, card, type LineStyle, Places, type Point, styleOf } from './places.ts';
import type { Branch, Scheme } from './scheme.ts';
import { beyondText, headings } from './words.ts';

/** The distance from one row to the next. */
const rowPitch = card.height + card.gapBelow;
const stackPitch = card.height + card.stackGap;
/** Up to this many children without children of their own are side by side; more of them form a stack. */
const besideMax = 4;
/** The room for the line that runs down beside a column of a stack. */
const trunk = 20;
const headingHeight = 26;
/** The ratio of width to height of the stacks below one company, and the number of columns that always fit a window. */
const stackShape = 1.3;
const columnsAtLeast = 3;

/** A cell of a stack: a company, the card that shows more, or how many can't be shown. */
type Cell =
  | { readonly branch: Branch }
  | { readonly kind: Kind; readonly count: number }
  | { readonly beyond: number };

/** A part of the tree. `room` keeps the space below a high stack free. */
type Block = { readonly width: number; readonly below: readonly Block[] } & (
  | { readonly is: 'company'; readonly branch: Branch }
  | {
      readonly is: 'stack';
      readonly kind: Kind;
      readonly owner: string;
      readonly cells: readonly Cell[];
      readonly rows: number;
    }
  | { readonly is: 'room' }
);

type Stack = Block & { readonly is: 'stack' };

export function treeLayout(group: Group, scheme: Scheme): Places {
  const places = new Places();
  const layout = tree<Block>()
    .nodeSize([1, rowPitch])
    .separation((a, b) => (a.data.width + b.data.width) / 2 + card.gapBeside);
  const root = layout(hierarchy(companyBlock(scheme.root), ({ below }) => [...below]));
  root.each(({ data, parent, x, y }) => {
    const at = { x: x - data.width / 2, y };
    const from = parent === null ? null : { x: parent.x, y: parent.y + card.height };
    if (data.is === 'company') {
      putCompany(places, data.branch, at, from);
      for (const { lei } of data.branch.below) places.joined.add(`${data.branch.lei} ${lei}`);
    } else if (data.is === 'stack' && from !== null) {
      putStack(places, data, at, from);
    }
  });
  putAbove(places, group, scheme);
  addOtherLines(places, group);
  return places;
}

function companyBlock(branch: Branch): Block {
  return { is: 'company', branch, width: card.width, below: blocksBelow(branch) };
}

/** Companies with shown companies below them first, then the others by kind. */
function blocksBelow(branch: Branch): readonly Block[] {
  const open = branch.below.filter(({ below }) => below.length > 0);
  const closed = branch.below.filter(({ below }) => below.length === 0);
  const stacks = kinds.map((kind) => ({ kind, cells: cellsOf(branch, kind, closed) }));
  const isFew = closed.length <= besideMax && stacks.every(({ kind, cells }) => isBeside(kind, cells));
  if (isFew) return [...open, ...closed].map(companyBlock);
  const rows = rowsOf(stacks.map(({ cells }) => cells.length));
  const filled = stacks.filter(({ cells }) => cells.length > 0);
  return [
    ...open.map(companyBlock),
    ...filled.map((stack) => stackBlock({ ...stack, owner: branch.lei, rows })),
  ];
}

function isBeside(kind: Kind, cells: readonly Cell[]): boolean {
  return cells.every((cell) => kind === 'owned' && 'branch' in cell);
}

function cellsOf(owner: Branch, kind: Kind, closed: readonly Branch[]): readonly Cell[] {
  const cells: Cell[] = closed.filter((each) => each.kind === kind).map((branch) => ({ branch }));
  if (owner.hidden[kind] > 0) cells.push({ kind, count: owner.hidden[kind] });
  if (kind === 'owned' && owner.beyond > 0) cells.push({ beyond: owner.beyond });
  return cells;
}

/** The least number of rows with which stacks of this many cells together are not too wide. */
function rowsOf(counts: readonly number[]): number {
  const all = counts.reduce((sum, count) => sum + count, 0);
  const shaped = Math.sqrt((all * stackShape * stackPitch) / (card.width + trunk + card.gapBeside));
  const columnsMax = Math.max(columnsAtLeast, Math.ceil(shaped));
  let rows = Math.max(1, Math.floor(all / columnsMax));
  while (counts.reduce((sum, count) => sum + Math.ceil(count / rows), 0) > columnsMax) rows += 1;
  return rows;
}

function stackBlock(stack: Pick<Stack, 'kind' | 'owner' | 'cells' | 'rows'>): Block {
  const columns = Math.ceil(stack.cells.length / stack.rows);
  const width = columns * (card.width + trunk) + (columns - 1) * card.gapBeside;
  const rows = Math.min(stack.rows, stack.cells.length);
  const height = (stack.kind === 'owned' ? 0 : headingHeight) + rows * stackPitch;
  let below: readonly Block[] = [];
  for (let free = height - card.height - card.gapBelow; free > 0; free -= rowPitch) {
    below = [{ is: 'room', width, below }];
  }
  return { is: 'stack', ...stack, width, below };
}

function putCompany(places: Places, branch: Branch, at: Point, from: Point | null): void {
  places.company(branch.lei, from === null ? 'self' : 'below', at);
  if (from === null) return;
  const middle = at.x + card.width / 2;
  places.line(styleOf(branch), elbow(from, { x: middle, y: at.y }));
}

/** A line down, across, and down. */
function elbow(from: Point, to: Point): string {
  const bend = to.y - card.gapBelow / 2;
  return from.x === to.x ? `M${from.x} ${from.y}V${to.y}` : `M${from.x} ${from.y}V${bend}H${to.x}V${to.y}`;
}

function putStack(places: Places, stack: Stack, at: Point, from: Point): void {
  const { kind, owner, cells, rows } = stack;
  const columns = Math.ceil(cells.length / rows);
  const heading = kind === 'owned' ? 0 : headingHeight;
  if (heading > 0) {
    places.headings.push({ key: `${owner} ${kind}`, text: headings[kind], x: at.x + trunk, y: at.y });
  }
  for (let column = 0; column < columns; column++) {
    const inColumn = cells.slice(column * rows, (column + 1) * rows);
    const left = at.x + column * (card.width + trunk + card.gapBeside);
    const top = at.y + heading;
    const line = { x: left + trunk / 2, y: top + (inColumn.length - 1) * stackPitch + card.height / 2 };
    places.line(
      trunkStyle(kind, cells),
      `M${from.x} ${from.y}V${at.y - card.gapBelow / 2}H${line.x}V${line.y}`,
    );
    for (const [row, cell] of inColumn.entries()) {
      putCell(places, owner, cell, { x: left + trunk, y: top + row * stackPitch });
    }
  }
}

function trunkStyle(kind: Kind, cells: readonly Cell[]): LineStyle {
  const styles = cells.flatMap((cell) => ('branch' in cell ? [styleOf(cell.branch)] : []));
  return kind === 'owned' && styles.includes('direct') ? 'direct' : (styles[0] ?? 'direct');
}

function putCell(places: Places, owner: string, cell: Cell, at: Point): void {
  let style: LineStyle = 'direct';
  if ('branch' in cell) {
    places.company(cell.branch.lei, 'below', at);
    style = styleOf(cell.branch);
  } else if ('beyond' in cell) {
    places.notes.push({ key: `beyond ${owner}`, text: beyondText(cell.beyond), ...at });
  } else {
    places.more.push({ key: `more ${owner} ${cell.kind}`, lei: owner, ...cell, ...at });
    style = styleOf({ kind: cell.kind, type: '' });
  }
  places.line(style, `M${at.x - trunk / 2} ${at.y + card.height / 2}h${trunk / 2}`);
}

/** The rows of owners, each starting right above the company; why somebody has none is in the next row. */
function putAbove(places: Places, group: Group, { above, root }: Scheme): void {
  const columnPitch = card.width + card.gapBeside;
  const put = new Above(places, group, root.lei, { x: -card.width / 2, y: 0 }, down);
  let leis: readonly string[] = [root.lei];
  for (let row = 1; leis.length > 0; row++) {
    const owners = above[row - 1] ?? [];
    let column = 0;
    const next = (): Point => ({ x: -card.width / 2 + column++ * columnPitch, y: -row * rowPitch });
    for (const owner of owners) put.owner(owner, next());
    for (const lei of leis) put.missing(lei, next);
    leis = owners.map(({ lei }) => lei);
  }
}

/** A line from a card to one in the row below. */
function down(from: Point, to: Point): string {
  const half = card.width / 2;
  return elbow({ x: from.x + half, y: from.y + card.height }, { x: to.x + half, y: to.y });
}
