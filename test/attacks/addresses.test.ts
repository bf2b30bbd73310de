import { attack } from './addresses.ts';
import { shortForm } from './short-form.ts';

shortForm(attack, 'a malformed address gets 400 everywhere and counts for its client', {
  rounds: 3,
  tried: 120,
});
