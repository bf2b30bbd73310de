import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Html, html } from '../../src/html/html.ts';
import { readMadePage, textOfPage } from '../../src/html/made-page.ts';

test('a text is shown unchanged in an element and in an attribute, whatever it contains', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { text: page } = html`<p title="${text}">${text}</p>`;
      const shown = /^<p title="([^"<>]*)">([^"<>]*)<\/p>$/.exec(page);
      expect(shown?.slice(1).map(unescaped)).toEqual([text, text]);
    }),
  );
});

function unescaped(shown: string): string {
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };
  return shown.replaceAll(/&(\w+);/g, (_, name: string) => characters[name] ?? '?');
}

test('HTML stays HTML, lists are joined, and null and false leave nothing', () => {
  const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
  expect(html`<ul>${items}</ul>${null}${false}${0}`.text).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>0');
});

test('a page keeps title and content apart on its way to the front, whatever a name contains', () => {
  const text = fc.string({ unit: 'binary' }).map((any) => any.toWellFormed());
  fc.assert(
    fc.property(text, text, (title, content) => {
      const page = { title, content: new Html(content) };
      expect(readMadePage(textOfPage(page))).toEqual(page);
    }),
  );
});
