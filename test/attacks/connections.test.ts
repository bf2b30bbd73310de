import { attack } from './connections.ts';
import { shortForm } from './short-form.ts';

shortForm(
  attack,
  'hundreds of idle, half-sent and slow connections do not keep other clients from their answers',
  { rounds: 6, tried: 300 },
);
