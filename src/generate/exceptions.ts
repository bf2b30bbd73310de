/** Generates reporting exceptions: the reasons of nearly all entities that report no parent. */
import type { ExceptionRecord } from '../lei/relationship.ts';
import { exceptionCategories } from '../lei/relationship-codes.ts';
import { Chooser, purposes, Random } from './random.ts';
import { consolidationKept } from './relationships.ts';
import type { Role } from './structure.ts';
import type { World } from './world.ts';

const reasons = new Chooser([
  ['NON_CONSOLIDATING', 35],
  ['NATURAL_PERSONS', 34],
  ['NO_KNOWN_PERSON', 22],
  ['NO_LEI', 4],
  ['NON_PUBLIC', 4],
  // Replaced by NON_PUBLIC in 2022, but still in the files.
  ['CONSENT_NOT_OBTAINED', 0.4],
  ['BINDING_LEGAL_COMMITMENTS', 0.2],
  ['DISCLOSURE_DETRIMENTAL', 0.2],
  ['LEGAL_OBSTACLES', 0.2],
]);
const possibleReferences = [
  'Datenschutz!',
  'https://register.example/notice/17',
  'Statement of the board, 2024',
];
/** Share of entities without a parent that give a reason. */
const reported = 0.97;

const shared = new Random();

/** The exceptions of an entity, up to two, the direct parent's first. */
export function exceptionsOf(world: World, entity: number): ExceptionRecord[] {
  const missing = missingParents(world, entity, world.role(entity));
  if (!missing.direct && !missing.ultimate) return [];
  const random = shared.start(world.seed, purposes.exception, entity);
  if (!random.chance(reported)) return [];
  const lei = world.lei(entity);
  const list = [reasons.choose(random)];
  if (random.chance(0.01)) list.push(random.pick(['NO_LEI', 'NON_PUBLIC']));
  const references = referencesOf(random);
  const records: ExceptionRecord[] = [];
  if (missing.direct) {
    records.push({ lei, exception: { category: exceptionCategories.direct, reasons: list, references } });
  }
  if (missing.ultimate) {
    const own = random.chance(0.12) ? [reasons.choose(random)] : list;
    records.push({ lei, exception: { category: exceptionCategories.ultimate, reasons: own, references } });
  }
  return records;
}

function referencesOf(random: Random): string[] {
  return random.chance(0.004) ? [random.pick(possibleReferences)] : [];
}

function missingParents(world: World, entity: number, role: Role): { direct: boolean; ultimate: boolean } {
  switch (role.kind) {
    case 'branch':
      return { direct: false, ultimate: false };
    case 'subsidiary': {
      const kept = consolidationKept(world, entity);
      return { direct: !kept.direct, ultimate: !kept.ultimate };
    }
    case 'head':
      return { direct: role.cycle === null, ultimate: !role.self };
    default:
      return { direct: true, ultimate: true };
  }
}
