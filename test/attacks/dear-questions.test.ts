import { attack } from './dear-questions.ts';
import { shortForm } from './short-form.ts';

shortForm(attack, 'dear questions from fifty addresses do not keep an honest search waiting', {
  rounds: 1,
  tried: 50,
  orMore: true,
});
