// `bun run compile-checks` makes this file from meta-schema.ts.
import { formats } from '../lei/formats.ts';

const local_0 = /^(.*)$/
/** @type {(value: unknown) => value is import('./meta-schema.ts').Meta} */
export const isMeta = function check(value) {
  return (
    (typeof value === 'object' && value !== null && !Array.isArray(value)) &&
    (typeof value['id'] === 'string') &&
    Number.isInteger(value['formatVersion']) &&
    (typeof value['schemaVersion'] === 'string') &&
    (typeof value['sourcePublishedAt'] === 'string') &&
    formats['date-time'](value['sourcePublishedAt']) &&
    (typeof value['contentDates'] === 'object' && value['contentDates'] !== null && !Array.isArray(value['contentDates']) && !(value['contentDates'] instanceof Date) && !(value['contentDates'] instanceof Uint8Array)) &&
    (Object.entries(value['contentDates']).every(([key, value]) => (local_0.test(key) ? ((typeof value === 'string') && formats['date-time'](value)) : true))) &&
    Array.isArray(value['versions']) &&
    ((array) => { for(const value of array) if(!(((typeof value === 'string')))) { return false }; return true; })(value['versions']) &&
    Array.isArray(value['files']) &&
    ((array) => { for(const value of array) if(!(((typeof value === 'object' && value !== null && !Array.isArray(value)) && (typeof value['source'] === 'string') && (typeof value['name'] === 'string') && (typeof value['publishedAt'] === 'string') && formats['date-time'](value['publishedAt'])))) { return false }; return true; })(value['files']) &&
    Array.isArray(value['countries']) &&
    ((array) => { for(const value of array) if(!(((typeof value === 'string')))) { return false }; return true; })(value['countries']) &&
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
    Number.isInteger(value['resolvableRelationships']) &&
    value['resolvableRelationships'] >= 0 &&
    Number.isInteger(value['lastEntity']) &&
    value['lastEntity'] >= 0 &&
    Number.isInteger(value['lastRelationship']) &&
    value['lastRelationship'] >= 0 &&
    Number.isInteger(value['lastException']) &&
    value['lastException'] >= 0 &&
    (value['rowSum'] !== undefined ? (Number.isInteger(value['rowSum']) && value['rowSum'] >= 0) : true) &&
    (typeof value['shapes'] === 'object' && value['shapes'] !== null && !Array.isArray(value['shapes'])) &&
    (typeof value['shapes']['bic'] === 'object' && value['shapes']['bic'] !== null && !Array.isArray(value['shapes']['bic'])) &&
    Number.isInteger(value['shapes']['bic']['keyWidth']) &&
    value['shapes']['bic']['keyWidth'] >= 0 &&
    Number.isInteger(value['shapes']['bic']['buckets']) &&
    value['shapes']['bic']['buckets'] >= 0 &&
    Number.isInteger(value['shapes']['bic']['entries']) &&
    value['shapes']['bic']['entries'] >= 0 &&
    (typeof value['shapes']['isin'] === 'object' && value['shapes']['isin'] !== null && !Array.isArray(value['shapes']['isin'])) &&
    Number.isInteger(value['shapes']['isin']['keyWidth']) &&
    value['shapes']['isin']['keyWidth'] >= 0 &&
    Number.isInteger(value['shapes']['isin']['buckets']) &&
    value['shapes']['isin']['buckets'] >= 0 &&
    Number.isInteger(value['shapes']['isin']['entries']) &&
    value['shapes']['isin']['entries'] >= 0 &&
    (typeof value['shapes']['mic'] === 'object' && value['shapes']['mic'] !== null && !Array.isArray(value['shapes']['mic'])) &&
    Number.isInteger(value['shapes']['mic']['keyWidth']) &&
    value['shapes']['mic']['keyWidth'] >= 0 &&
    Number.isInteger(value['shapes']['mic']['buckets']) &&
    value['shapes']['mic']['buckets'] >= 0 &&
    Number.isInteger(value['shapes']['mic']['entries']) &&
    value['shapes']['mic']['entries'] >= 0 &&
    (typeof value['shapes']['gem'] === 'object' && value['shapes']['gem'] !== null && !Array.isArray(value['shapes']['gem'])) &&
    Number.isInteger(value['shapes']['gem']['keyWidth']) &&
    value['shapes']['gem']['keyWidth'] >= 0 &&
    Number.isInteger(value['shapes']['gem']['buckets']) &&
    value['shapes']['gem']['buckets'] >= 0 &&
    Number.isInteger(value['shapes']['gem']['entries']) &&
    value['shapes']['gem']['entries'] >= 0 &&
    (typeof value['shapes']['qcc'] === 'object' && value['shapes']['qcc'] !== null && !Array.isArray(value['shapes']['qcc'])) &&
    Number.isInteger(value['shapes']['qcc']['keyWidth']) &&
    value['shapes']['qcc']['keyWidth'] >= 0 &&
    Number.isInteger(value['shapes']['qcc']['buckets']) &&
    value['shapes']['qcc']['buckets'] >= 0 &&
    Number.isInteger(value['shapes']['qcc']['entries']) &&
    value['shapes']['qcc']['entries'] >= 0 &&
    (value['shapes']['ocid'] !== undefined ? ((typeof value['shapes']['ocid'] === 'object' && value['shapes']['ocid'] !== null && !Array.isArray(value['shapes']['ocid'])) && Number.isInteger(value['shapes']['ocid']['keyWidth']) && value['shapes']['ocid']['keyWidth'] >= 0 && Number.isInteger(value['shapes']['ocid']['buckets']) && value['shapes']['ocid']['buckets'] >= 0 && Number.isInteger(value['shapes']['ocid']['entries']) && value['shapes']['ocid']['entries'] >= 0) : true) &&
    (value['shapes']['directory'] !== undefined ? ((typeof value['shapes']['directory'] === 'object' && value['shapes']['directory'] !== null && !Array.isArray(value['shapes']['directory'])) && Number.isInteger(value['shapes']['directory']['keyWidth']) && value['shapes']['directory']['keyWidth'] >= 0 && Number.isInteger(value['shapes']['directory']['buckets']) && value['shapes']['directory']['buckets'] >= 0 && Number.isInteger(value['shapes']['directory']['entries']) && value['shapes']['directory']['entries'] >= 0) : true)
  )
}
