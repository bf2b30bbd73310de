import { describe } from 'bun:test';
import { isInstalled } from '../support/programs.ts';
import { attack } from './framing.ts';
import { shortForm } from './short-form.ts';

const canRun = isInstalled('haproxy') || isInstalled('nginx');

describe.skipIf(!canRun)('through haproxy or nginx', () => {
  shortForm(attack, 'odd framing behind a proxy that shares connections never affects another client', {
    rounds: 8,
    tried: 50,
    orMore: true,
  });
});
