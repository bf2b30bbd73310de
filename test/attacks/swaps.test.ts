import { shortForm } from './short-form.ts';
import { attack } from './swaps.ts';

shortForm(
  attack,
  'no request fails and no answer mixes publications while publications are activated under hostile load',
  { rounds: 2, tried: 20 },
);
