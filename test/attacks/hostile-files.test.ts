import { attack } from './hostile-files.ts';
import { shortForm } from './short-form.ts';

shortForm(
  attack,
  'a load of a hostile file ends soon: either in a sound publication, or with a clear message and no change',
  { rounds: 2, tried: 18 },
);
