import { attack } from './keys.ts';
import { shortForm } from './short-form.ts';

shortForm(attack, 'changed, invented and revoked keys are all refused', { rounds: 3, tried: 151 });
