import { attack } from './dear-requests.ts';
import { shortForm } from './short-form.ts';

shortForm(attack, 'the dearest request of every route is answered or refused as it should be', {
  rounds: 1,
  tried: 40,
  orMore: true,
});
