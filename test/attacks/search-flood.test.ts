import { attack } from './search-flood.ts';
import { shortForm } from './short-form.ts';

shortForm(attack, 'a thousand searching addresses delay an honest client by no more than one search each', {
  rounds: 1,
  tried: 1_000,
  orMore: true,
});
