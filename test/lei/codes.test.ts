import { expect, test } from 'bun:test';
import { countryCodes, registrationStatuses } from '../../src/lei/codes.ts';
import { legalFormLabel, legalFormList } from '../../src/lei/legal-form-list.ts';
import legalForms from '../../src/lei/legal-forms.txt' with { type: 'text' };

test('a legal form with an official English name is labelled in English', () => {
  expect(legalFormLabel('B6ES')).toBe('Public Limited Company'); // also Cwmni Cyfyngedig Cyhoeddus
  expect(legalFormLabel('254M')).toBe('Private company limited by shares'); // 私人股份有限公司 stands first
});

test('a legal form without an English name is labelled with its first name in the list', () => {
  expect(legalFormLabel('2HBR')).toBe('Gesellschaft mit beschränkter Haftung');
  expect(legalFormLabel('HEOB')).toBe('Kommandiittiyhtiö'); // before Kommanditbolag
  expect(legalFormLabel('106J')).toBe('Закрытае акцыянернае таварыства');
});

test('an inactive legal form keeps its label', () => {
  expect(legalFormLabel('2WFG')).toBe('Foreign public company');
});

test('placeholders and unknown codes have no label', () => {
  for (const code of ['8888', '9999', 'ZZZZ', '', 'b6es', 'B6ES\tPublic'])
    expect(legalFormLabel(code)).toBeNull();
});

test('the list of legal forms is complete: 3,430 codes, each once, all but two with a clean name', () => {
  const lines = legalForms.trimEnd().split('\n');
  const forms = legalFormList();
  expect(lines).toHaveLength(3430);
  expect(forms).toHaveLength(3430);
  expect(forms.filter(({ names }) => names.length === 0).map(({ code }) => code)).toEqual(['8888', '9999']);
  const names = forms.flatMap((form) => form.names);
  expect(names).toHaveLength(3817);
  for (const { localName, languageCode, transliteratedName } of names) {
    expect(`${localName}|${languageCode}|${transliteratedName}`).toMatch(
      /^\S+( \S+)*\|[a-z]{2}\|\S+( \S+)*$/,
    );
  }
});

test('countries are the 249 of ISO 3166-1, without the user-assigned XK that some records have', () => {
  expect(countryCodes.size).toBe(249);
  for (const code of ['AX', 'DE', 'SS', 'TW', 'ZW']) expect(countryCodes.has(code)).toBe(true);
  for (const code of ['XK', 'UK', 'EU', 'AN', 'de']) expect(countryCodes.has(code)).toBe(false);
});

test('registration statuses are the eleven of LEI-CDF 3.1', () => {
  expect(new Set(registrationStatuses).size).toBe(11);
  expect(registrationStatuses).toContain('ISSUED');
  expect(registrationStatuses).toContain('MERGED');
});
