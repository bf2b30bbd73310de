import { attack } from './clock.ts';
import { shortForm } from './short-form.ts';

shortForm(attack, 'moving the clock gives no client more than its daily quota, and locks none out', {
  rounds: 1,
  tried: 5,
});
