/** Builds `meta.licenseNotice`: the notices that the sources of a body's data require. */
import type { Notices } from '../../protocol/questions.ts';
import type { Manifest, SourceKind } from '../../publication/manifest.ts';

/**
 * The notice for one body: the operator's own (CC0 for LEI data), SWIFT's with the date of the table for BIC and MIC
 * pairs, and Global Energy Monitor's attribution for GEM pairs.
 */
export function licenseNotice(base: string, notices: Notices, manifest: Manifest): string {
  const parts = [base];
  if (notices.bic) parts.push(swiftNotice('BIC', tableDate(manifest, 'bic'), 'www.swift.com/bic'));
  if (notices.mic) {
    const address = 'https://www.iso20022.org/market-identifier-codes';
    parts.push(swiftNotice('MIC', tableDate(manifest, 'mic'), address));
  }
  if (notices.gem) {
    parts.push(
      'GEM–LEI pairs © Global Energy Monitor, published under CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/).',
    );
  }
  return parts.join(' ');
}

function swiftNotice(table: 'BIC' | 'MIC', date: string, address: string): string {
  return (
    `SWIFT © and database rights ${date}. All rights reserved. This Mapping Table has been developed by SWIFT. ` +
    `Any use of the Mapping Table, in whole or in part, is subject to the ${table}/LEI Mapping Table License ` +
    `Agreement as published with the Mapping Table available on GLEIF's website. ` +
    `For the latest ${table} information and updates, always refer to ${address}.`
  );
}

/** The date of the newest file of a kind; without one, the date of the publication. */
function tableDate(manifest: Manifest, kind: SourceKind): string {
  const dates = manifest.files
    .filter((file) => file.kind === kind)
    .map((file) => file.contentDate)
    .filter((date) => date !== null);
  const newest = dates.sort().at(-1) ?? manifest.sourcePublishedAt;
  return newest.slice(0, 10);
}
