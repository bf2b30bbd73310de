/** Names fields of records as GLEIF's API does: by XPaths in its published formats. */
import { type AnyFields, isField } from '../lei/fields.ts';
import { type Family, goldenCopy } from '../lei/golden-copy.ts';
import { level1Fields } from '../lei/level-1-fields.ts';
import { relationshipFields } from '../lei/level-2-fields.ts';

/** Path of a field in the service's own records → its XPath. */
type Paths = ReadonlyMap<string, string>;

const recordPath = (family: Family) => {
  const { prefix, root, list, record } = goldenCopy[family];
  return [root, list, record].map((name) => `/${prefix}:${name}`).join('');
};

/** `Entity.LegalName@xml:lang` below a record → `/lei:Entity/lei:LegalName/@xml:lang`. */
function below(family: Family, at: string): string {
  const [elements = '', attribute] = at.split('@');
  const steps = elements.split('.').filter((name) => name !== '');
  // Names of an extension have a prefix of their own.
  const path = steps.map((name) => `/${name.includes(':') ? name : `${goldenCopy[family].prefix}:${name}`}`);
  return path.join('') + (attribute === undefined ? '' : `/@${attribute}`);
}

/** The paths of all fields; a field inside an item or an address has the path of its list in front. */
function pathsOf(family: Family, fields: AnyFields, ours = '', at = ''): [string, string][] {
  return Object.entries(fields).flatMap(([name, member]): [string, string][] => {
    const path = ours === '' ? name : `${ours}.${name}`;
    if (!isField(member)) return pathsOf(family, member, path, at);
    switch (member.is) {
      case 'lines':
        return [[path, recordPath(family) + below(family, at + member.first)]];
      case 'whole':
      case 'optional':
        return pathsOf(family, member.members, path, at);
      case 'list':
      case 'events': {
        const own = recordPath(family) + below(family, at + member.at);
        return [[path, own], ...pathsOf(family, member.members, path, at + member.at)];
      }
      default:
        return [[path, recordPath(family) + below(family, at + member.at)]];
    }
  });
}

const level1Paths: Paths = new Map(pathsOf('lei2', level1Fields));
const relationshipPaths: Paths = new Map(pathsOf('rr', relationshipFields));

/** The XPath of a field of a level 1 record, also of a member of its lists; null for any other path. */
export function xpathOfField(path: string): string | null {
  return level1Paths.get(path) ?? null;
}

/** The XPath of any changed member; a path that the format does not name is given as it is. */
export function xpathOfChange(family: Family, path: string): string {
  const plain = path.replace(/\[\d+\]/g, '').replace('eventGroups.events', 'eventGroups.event');
  if (family === 'repex') return `${recordPath('repex')}/repex:${exceptionElements[plain] ?? plain}`;
  const paths = family === 'lei2' ? level1Paths : relationshipPaths;
  return paths.get(plain) ?? `${recordPath(family)}/${plain}`;
}

const exceptionElements: Readonly<Record<string, string>> = {
  reasons: 'ExceptionReason',
  references: 'ExceptionReference',
  category: 'ExceptionCategory',
};
