import { attack } from './hostile-source.ts';
import { shortForm } from './short-form.ts';

shortForm(
  attack,
  'a hostile source makes a node write, delete, fetch or wait for nothing, and it goes on serving',
  { rounds: 2, tried: 8 },
);
