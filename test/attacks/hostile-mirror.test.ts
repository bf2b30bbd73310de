import { attack } from './hostile-mirror.ts';
import { shortForm } from './short-form.ts';

shortForm(
  attack,
  'an update from a hostile mirror ends soon, reads no more than the announced sizes and asks allowed hosts only',
  { rounds: 19, tried: 57 },
);
