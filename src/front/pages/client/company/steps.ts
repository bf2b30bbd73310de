/** Moves from card to card with the arrow keys. */
import type { Place } from './places.ts';

export type Direction = 'up' | 'down' | 'left' | 'right';

/** One unit sideways counts as this many units ahead. */
const asideWeight = 2.5;

/** The nearest card in a direction; null if there is none. */
export function neighbour<Card extends Place>(
  cards: readonly Card[],
  from: Place,
  direction: Direction,
): Card | null {
  let nearest: Card | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of cards) {
    const { ahead, aside } = distances(from, candidate, direction);
    const distance = ahead + asideWeight * aside;
    if (ahead > 0 && distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

function distances(
  from: Place,
  to: Place,
  direction: Direction,
): { readonly ahead: number; readonly aside: number } {
  const across = to.x - from.x;
  const down = to.y - from.y;
  switch (direction) {
    case 'up':
      return { ahead: -down, aside: Math.abs(across) };
    case 'down':
      return { ahead: down, aside: Math.abs(across) };
    case 'left':
      return { ahead: -across, aside: Math.abs(down) };
    case 'right':
      return { ahead: across, aside: Math.abs(down) };
  }
}
