/** Finds Debian programs that tests run when they are installed. */
import { existsSync } from 'node:fs';

/** The possible paths of each, and the package that provides it. */
const programs = {
  haproxy: { paths: ['/usr/sbin/haproxy'], package: 'haproxy' },
  nginx: { paths: ['/usr/sbin/nginx'], package: 'nginx' },
  radosgw: { paths: ['/usr/bin/radosgw'], package: 'radosgw ceph-mon ceph-osd ceph-common' },
  promtool: { paths: ['/usr/bin/promtool'], package: 'prometheus' },
  prometheus: { paths: ['/usr/bin/prometheus'], package: 'prometheus' },
  buildah: { paths: ['/usr/bin/buildah'], package: 'buildah' },
  'systemd-analyze': { paths: ['/usr/bin/systemd-analyze'], package: 'systemd' },
  'redis-server': { paths: ['/usr/bin/redis-server', '/usr/bin/valkey-server'], package: 'redis-server' },
  openrefine: { paths: ['/usr/bin/openrefine'], package: 'openrefine' },
  openssl: { paths: ['/usr/bin/openssl'], package: 'openssl' },
  browser: {
    paths: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
    package: 'chromium',
  },
} as const;
export type Program = keyof typeof programs;

/**
 * Whether a program is installed. If it is not, prints that: a test that can't run must not look as if it had passed.
 */
export function isInstalled(name: Program): boolean {
  if (placeOf(name) !== undefined) return true;
  const { paths, package: brings } = programs[name];
  sayNotRun(`tests with ${name}, which is not at ${paths.join(', ')}; apt-get install ${brings} brings it`);
  return false;
}

/** Logs what did not run and why, in a line that .ci/run repeats at the end. */
export function sayNotRun(what: string): void {
  process.stderr.write(`\n*** NOT RUN: ${what}. ***\n\n`);
}

export function pathOf(name: Program): string {
  return placeOf(name) ?? programs[name].paths[0];
}

function placeOf(name: Program): string | undefined {
  return programs[name].paths.find((path) => existsSync(path));
}

/** The title of tests that need programs; if one is missing, it names the package to install. */
export function titled(title: string, ...needed: readonly Program[]): string {
  const missing = needed.filter((name) => placeOf(name) === undefined).map((name) => programs[name].package);
  return missing.length === 0
    ? title
    : `${title} (skipped: apt-get install ${missing.join(' ')} brings what it needs)`;
}
