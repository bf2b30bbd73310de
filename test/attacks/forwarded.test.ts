import { attack } from './forwarded.ts';
import { shortForm } from './short-form.ts';

shortForm(attack, 'a forged X-Forwarded-For never charges a request to anybody but its sender', {
  rounds: 2,
  tried: 200,
});
