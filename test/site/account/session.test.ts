import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  cookiesOf,
  isMarkedSignedIn,
  isOwnForm,
  newForm,
  newSession,
  noCookies,
  sessionIn,
} from '../../../src/site/account/session.ts';

const requestWith = (cookie: string) =>
  new Request('http://lei.example/account', { headers: { Cookie: cookie } });

describe('a browser session', () => {
  test('is found by its cookie, among cookies of others', () => {
    const session = newSession();
    const [cookie = ''] = cookiesOf(session, { basePath: '/data', baseUrl: 'https://example.org/data' });
    const [pair = ''] = cookie.split(';');
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

  test('has a mark for all pages beside its id, which only the pages of accounts get', () => {
    const place = { basePath: '/data', baseUrl: 'https://example.org/data' };
    const session = newSession();
    const attributes = 'Max-Age=3600; HttpOnly; SameSite=Strict; Secure';
    expect(cookiesOf(session, place)).toEqual([
      `lei_session=${session.id}; Path=/data/account; ${attributes}`,
      `lei_signed_in=1; Path=/data; ${attributes}`,
    ]);
    expect(noCookies({ basePath: '', baseUrl: 'http://127.0.0.1:3000' })).toEqual([
      'lei_session=; Path=/account; Max-Age=0; HttpOnly; SameSite=Strict',
      'lei_signed_in=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    ]);
    expect(isMarkedSignedIn(requestWith('a=1; lei_signed_in=1'))).toBe(true);
    for (const cookie of ['', 'lei_signed_in=', 'lei_signed_in=2', 'x_lei_signed_in=1']) {
      expect(isMarkedSignedIn(requestWith(cookie))).toBe(false);
    }
    expect(sessionIn(requestWith('lei_signed_in=1'))).toBeNull();
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
