import { attack } from './searches.ts';
import { shortForm } from './short-form.ts';

shortForm(attack, 'hill climbing finds no search that exceeds its time limit by more than one step', {
  rounds: 4,
  tried: 200,
});
