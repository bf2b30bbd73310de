// `bun run compile-checks` makes this file from manifest.ts.
import { formats } from '../lei/formats.ts';

const local_0 = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;
const local_1 = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;
const local_2 = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;
/** @type {(value: unknown) => value is import('./manifest.ts').Manifest} */
export const isManifest = function check(value) {
  return (
    (typeof value === 'object' && value !== null && !Array.isArray(value)) &&
    (typeof value['id'] === 'string') &&
    local_0.test(value['id']) &&
    Number.isInteger(value['formatVersion']) &&
    (typeof value['schemaVersion'] === 'string') &&
    (typeof value['toolVersion'] === 'string') &&
    (typeof value['sourcePublishedAt'] === 'string') &&
    formats['date-time'](value['sourcePublishedAt']) &&
    (typeof value['builtAt'] === 'string') &&
    formats['date-time'](value['builtAt']) &&
    (typeof value['sample'] === 'boolean') &&
    (((typeof value['basedOn'] === 'string') && local_1.test(value['basedOn'])) || ((value['basedOn'] === null))) &&
    (typeof value['delta'] === 'boolean') &&
    Array.isArray(value['files']) &&
    ((array) => { for(const value of array) if(!(((typeof value === 'object' && value !== null && !Array.isArray(value)) && (typeof value['name'] === 'string') && (((value['kind'] === 'level-1')) || ((value['kind'] === 'relationships')) || ((value['kind'] === 'reporting-exceptions')) || ((value['kind'] === 'isin')) || ((value['kind'] === 'bic')) || ((value['kind'] === 'mic')) || ((value['kind'] === 'gem')) || ((value['kind'] === 'qcc')) || ((value['kind'] === 'ocid')) || ((value['kind'] === 'mic-list')) || ((value['kind'] === 'registration-authorities')) || ((value['kind'] === 'official-organizational-roles'))) && (typeof value['sha256'] === 'string') && Number.isInteger(value['bytes']) && value['bytes'] >= 0 && Number.isInteger(value['rows']) && value['rows'] >= 0 && Number.isInteger(value['rejected']) && value['rejected'] >= 0 && Number.isInteger(value['remarks']) && value['remarks'] >= 0 && (((typeof value['contentDate'] === 'string') && formats['date-time'](value['contentDate'])) || ((value['contentDate'] === null))) && (value['publication'] !== undefined ? ((typeof value['publication'] === 'string') && local_2.test(value['publication'])) : true)))) { return false }; return true; })(value['files']) &&
    (typeof value['counts'] === 'object' && value['counts'] !== null && !Array.isArray(value['counts'])) &&
    Number.isInteger(value['counts']['entities']) &&
    value['counts']['entities'] >= 0 &&
    Number.isInteger(value['counts']['relationships']) &&
    value['counts']['relationships'] >= 0 &&
    Number.isInteger(value['counts']['reportingExceptions']) &&
    value['counts']['reportingExceptions'] >= 0 &&
    Number.isInteger(value['counts']['changes']) &&
    value['counts']['changes'] >= 0 &&
    Number.isInteger(value['counts']['snapshots']) &&
    value['counts']['snapshots'] >= 0 &&
    Number.isInteger(value['counts']['bic']) &&
    value['counts']['bic'] >= 0 &&
    Number.isInteger(value['counts']['isin']) &&
    value['counts']['isin'] >= 0 &&
    Number.isInteger(value['counts']['mic']) &&
    value['counts']['mic'] >= 0 &&
    Number.isInteger(value['counts']['gem']) &&
    value['counts']['gem'] >= 0 &&
    Number.isInteger(value['counts']['qcc']) &&
    value['counts']['qcc'] >= 0 &&
    Object.getOwnPropertyNames(value['counts']).length === 10 &&
    (value['countries'] !== undefined ? (Array.isArray(value['countries']) && ((array) => { for(const value of array) if(!(((typeof value === 'string')))) { return false }; return true; })(value['countries'])) : true) &&
    Number.isInteger(value['resolvableRelationships']) &&
    value['resolvableRelationships'] >= 0 &&
    (typeof value['environment'] === 'object' && value['environment'] !== null && !Array.isArray(value['environment'])) &&
    Number.isInteger(value['environment']['bytes']) &&
    value['environment']['bytes'] >= 0 &&
    (typeof value['environment']['sha256'] === 'string') &&
    (value['environment']['segmentBytes'] !== undefined ? ((value['environment']['segmentBytes'] === 65536)) : true) &&
    (value['companies'] !== undefined ? ((typeof value['companies'] === 'object' && value['companies'] !== null && !Array.isArray(value['companies'])) && Number.isInteger(value['companies']['bytes']) && value['companies']['bytes'] >= 0 && (typeof value['companies']['sha256'] === 'string') && (value['companies']['segmentBytes'] !== undefined ? ((value['companies']['segmentBytes'] === 65536)) : true)) : true) &&
    (value['search'] !== undefined ? ((typeof value['search'] === 'object' && value['search'] !== null && !Array.isArray(value['search'])) && Number.isInteger(value['search']['bytes']) && value['search']['bytes'] >= 0 && (typeof value['search']['sha256'] === 'string') && (value['search']['segmentBytes'] !== undefined ? ((value['search']['segmentBytes'] === 65536)) : true)) : true)
  )
}
