/** Sorts tables by the column whose heading is pressed: ascending, and descending when it is pressed again. */
const collator = new Intl.Collator('en', { numeric: true });

for (const table of document.querySelectorAll<HTMLTableElement>('table[data-sortable]')) {
  for (const [index, heading] of [...(table.tHead?.rows[0]?.cells ?? [])].entries()) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'sorts';
    button.append(...heading.childNodes);
    button.addEventListener('click', () => sort(table, heading, index));
    heading.replaceChildren(button);
  }
}

function sort(table: HTMLTableElement, heading: HTMLTableCellElement, column: number): void {
  const order = heading.ariaSort === 'ascending' ? 'descending' : 'ascending';
  for (const other of table.tHead?.rows[0]?.cells ?? []) other.ariaSort = null;
  heading.ariaSort = order;
  const sign = order === 'ascending' ? 1 : -1;
  for (const body of table.tBodies) {
    const rows = [...body.rows].map((row) => ({ row, value: sortTextOf(row.cells[column]) }));
    rows.sort(
      (a, b) => Number(a.value === '') - Number(b.value === '') || sign * collator.compare(a.value, b.value),
    );
    body.append(...rows.map(({ row }) => row));
  }
}

/** The sort key of a cell: its text, unless it has a key of its own. Empty cells come last in either order. */
function sortTextOf(cell: HTMLTableCellElement | undefined): string {
  return cell?.dataset['value'] ?? cell?.textContent ?? '';
}
