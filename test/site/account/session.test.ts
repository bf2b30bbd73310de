import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { cookieOf, isOwnForm, newForm, newSession, sessionIn } from '../../../src/site/account/session.ts';

const requestWith = (cookie: string) =>
  new Request('http://lei.example/account', { headers: { Cookie: cookie } });

describe('a browser session', () => {
  test('is found by its cookie, among cookies of others', () => {
    const session = newSession();
    const [pair = ''] = cookieOf(session, { basePath: '/data', baseUrl: 'https://example.org/data' }).split(
      ';',
    );
    for (const cookie of [
      pair,
      `a=1; ${pair}`,
      `${pair};b=2`,
      `x_lei_session=1;  ${pair} ; lei_sessions=2`,
    ]) {
      expect(sessionIn(requestWith(cookie))).toEqual(session);
    }
    expect(sessionIn(requestWith(`${pair}; ${pair}`))).toBeNull();
    expect(sessionIn(new Request('http://lei.example/account'))).toBeNull();
  });

  test('is never found by a made-up cookie', () => {
    const text = fc.oneof(fc.string(), fc.base64String(), fc.constantFrom('', '=', ';'));
    fc.assert(
      fc.property(text, (value) => {
        const cookie = `lei_session=${value}`.replaceAll(/[^\x20-\x7e]/g, '');
        const found = sessionIn(requestWith(cookie));
        expect(found === null || found.id === cookie.trim().slice('lei_session='.length)).toBe(true);
      }),
    );
  });
});

describe('a form', () => {
  test('belongs to the session whose page contains it, and is different on every page', () => {
    const [own, other] = [newSession(), newSession()];
    const forms = Array.from({ length: 100 }, () => newForm(own));
    expect(new Set(forms).size).toBe(100);
    expect(forms.every((form) => isOwnForm(own, form))).toBe(true);
    expect(forms.some((form) => isOwnForm(other, form))).toBe(false);
  });

  test('that was changed by one letter or made up belongs to no session', () => {
    const session = newSession();
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'];
    fc.assert(
      fc.property(fc.nat(44), fc.constantFrom(...letters), (at, letter) => {
        const form = newForm(session);
        const changed = form.slice(0, at) + letter + form.slice(at + 1);
        expect(isOwnForm(session, changed)).toBe(changed === form);
      }),
    );
    fc.assert(fc.property(fc.string(), (form) => !isOwnForm(session, form)));
  });
});
