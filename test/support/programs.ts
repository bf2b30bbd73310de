/** Programs of Debian that tests run when they are installed. */
import { existsSync } from 'node:fs';

/** Where each is, and the package that brings it. */
const programs = {
  haproxy: { path: '/usr/sbin/haproxy', package: 'haproxy' },
  nginx: { path: '/usr/sbin/nginx', package: 'nginx' },
  promtool: { path: '/usr/bin/promtool', package: 'prometheus' },
  prometheus: { path: '/usr/bin/prometheus', package: 'prometheus' },
  buildah: { path: '/usr/bin/buildah', package: 'buildah' },
  'systemd-analyze': { path: '/usr/bin/systemd-analyze', package: 'systemd' },
  openssl: { path: '/usr/bin/openssl', package: 'openssl' },
} as const;
export type Program = keyof typeof programs;

/** Whether a program is installed. Where it is not, says so: a test that can't run must not look as if it had passed. */
export function isInstalled(name: Program): boolean {
  const { path, package: brings } = programs[name];
  if (existsSync(path)) return true;
  process.stderr.write(
    `\n*** NOT RUN: ${name} is not at ${path}; apt-get install ${brings} brings it. ***\n\n`,
  );
  return false;
}

export function pathOf(name: Program): string {
  return programs[name].path;
}
