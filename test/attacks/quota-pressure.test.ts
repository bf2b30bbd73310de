import { describe } from 'bun:test';
import { isInstalled, titled } from '../support/programs.ts';
import { attack } from './quota-pressure.ts';
import { shortForm } from './short-form.ts';

describe.if(isInstalled('redis-server'))(titled('nodes that share a store', 'redis-server'), () => {
  shortForm(attack, 'admit exactly the limit together even if they often do not run', {
    rounds: 1,
    tried: 1,
  });
});
