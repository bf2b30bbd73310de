import { attack } from './crashes.ts';
import { shortForm } from './short-form.ts';

shortForm(attack, 'a killed service keeps every count, and a killed load changes nothing', {
  rounds: 1,
  tried: 2,
});
