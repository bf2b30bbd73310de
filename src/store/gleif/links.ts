/** Renders the relationships and links of a record in GLEIF's API: addresses below the record's own. */
import { parentNames, relationNames, relations } from '../../lei/gleif-relations.ts';
import { type JsonBytes, piece } from '../../protocol/json-bytes.ts';
import { leiLength } from '../company-fields.ts';
import type { ConditionalLink, GleifLinkTexts, LinkTemplate } from './gleif-reader.ts';

const extras = ['isins', 'associated-entity', 'successor-entity'] as const;
/** The links that a record may have: a bit each. */
const facts = [...relationNames, ...parentNames.map((name) => `${name}-exception` as const), ...extras];
type Fact = (typeof facts)[number];

/** The bit of a relation, of an exception in place of a parent, or of other linked things. */
export function bitOf(fact: Fact): number {
  return 1 << facts.indexOf(fact);
}

/** @param base the address of GLEIF's API, without a trailing slash */
export function linkTexts(base: string): GleifLinkTexts {
  const record = `${base}/lei-records/{lei}`;
  const template = (text: string): LinkTemplate => text.split('{lei}').map(piece);
  const linked = (name: string, links: Readonly<Record<string, string>>) => {
    const addresses = Object.entries(links).map(([kind, path]) => [kind, `${record}/${path}`]);
    return `${JSON.stringify(name)}:${JSON.stringify({ links: Object.fromEntries(addresses) })}`;
  };
  const related = (name: string) => linked(name, { related: name });
  const when = (fact: Fact, text: string, unless = 0): ConditionalLink => ({
    if: bitOf(fact),
    unless,
    text: template(`,${text}`),
  });
  const ofRelation = (name: (typeof relationNames)[number]): ConditionalLink => {
    const { isOne, records } = relations[name];
    const links = isOne
      ? { 'relationship-record': records, 'lei-record': name }
      : { 'relationship-records': records, related: name };
    return when(name, linked(name, links));
  };
  const ofException = (name: (typeof parentNames)[number]) =>
    when(
      `${name}-exception`,
      linked(name, { 'reporting-exception': `${name}-reporting-exception` }),
      bitOf(name),
    );
  return {
    always: template(
      `,"relationships":{${['managing-lou', 'lei-issuer', 'field-modifications'].map(related).join(',')}`,
    ),
    conditional: [
      ...parentNames.flatMap((name) => [ofRelation(name), ofException(name)]),
      ...relationNames.filter((name) => !parentNames.some((parent) => parent === name)).map(ofRelation),
      when('isins', related('isins')),
      when('associated-entity', related('associated-entity')),
      when('successor-entity', `${related('successor-entity')},${related('successor-entities')}`),
    ],
    end: template(`},"links":${JSON.stringify({ self: record })}`),
  };
}

/** Appends the members `relationships` and `links`. @param bytes its first 20 are the LEI @param has bits of facts */
export function putLinks(out: JsonBytes, bytes: Uint8Array, has: number, texts: GleifLinkTexts): void {
  putTemplate(out, bytes, texts.always);
  for (const { if: wanted, unless, text } of texts.conditional) {
    if ((has & wanted) !== 0 && (has & unless) === 0) putTemplate(out, bytes, text);
  }
  putTemplate(out, bytes, texts.end);
}

function putTemplate(out: JsonBytes, bytes: Uint8Array, template: LinkTemplate): void {
  let isFirst = true;
  for (const part of template) {
    if (!isFirst) out.copy(bytes, 0, leiLength);
    isFirst = false;
    out.put(part);
  }
}
