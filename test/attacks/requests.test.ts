import { attack } from './requests.ts';
import { shortForm } from './short-form.ts';

shortForm(attack, 'every fuzzed request gets a problem or an envelope, and the service survives it', {
  rounds: 3,
  tried: 300,
});
