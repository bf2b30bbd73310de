import { shortForm } from './short-form.ts';
import { attack } from './slow-readers.ts';

shortForm(attack, 'slow readers of a list of several megabytes neither exhaust memory nor keep others out', {
  rounds: 2,
  tried: 80,
});
