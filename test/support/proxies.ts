/** Runs real proxies from Debian packages in front of a service, for tests of how clients affect each other. */
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathOf } from './programs.ts';

type ProxyName = 'haproxy' | 'nginx';

export interface RunningProxy {
  readonly port: number;
  /** Stops it and its workers until it may continue: it then notices all at once what happened meanwhile. */
  pause(): void;
  goOn(): void;
  stop(): Promise<void>;
}

/** When haproxy may use a connection to the service for several clients. */
export const reuseModes = ['never', 'safe', 'aggressive', 'always'] as const;

/** @param forwardsFor whether it sends the client's address to the service */
export function startHaproxy(
  servicePort: number,
  reuse: (typeof reuseModes)[number],
  forwardsFor = true,
): Promise<RunningProxy> {
  return startHaproxyWith(
    (port) => `global
  maxconn 1000
defaults
  mode http
  timeout connect 5s
  timeout client 10s
  timeout server 10s
  ${forwardsFor ? 'option forwardfor' : ''}
  http-reuse ${reuse}
frontend clients
  bind 127.0.0.1:${port}
  default_backend service
backend service
  server one 127.0.0.1:${servicePort}
`,
  );
}

/** With kept connections to the service, and request bodies passed on as they arrive. */
export function startNginx(servicePort: number): Promise<RunningProxy> {
  return startNginxWith(
    (port) => `  upstream service { server 127.0.0.1:${servicePort}; keepalive 8; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_request_buffering off;
    }
  }
`,
  );
}

/** haproxy with a given configuration. */
export function startHaproxyWith(
  configurationAt: (port: number) => string,
  port = freePort(),
): Promise<RunningProxy> {
  return start('haproxy', port, (folder) => ({
    arguments: ['-db', '-f', join(folder, 'configuration')],
    configuration: configurationAt(port),
  }));
}

/** nginx with a given server block. */
export function startNginxWith(blocksAt: (port: number) => string, port = freePort()): Promise<RunningProxy> {
  return start('nginx', port, (folder) => ({
    arguments: ['-e', 'stderr', '-p', folder, '-c', join(folder, 'configuration')],
    // Workers of another user could not read the tests' folders. Only root can choose one.
    configuration: `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/pid;
error_log stderr crit;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
${blocksAt(port)}}
`,
  }));
}

interface Setup {
  readonly arguments: readonly string[];
  readonly configuration: string;
}

async function start(
  name: ProxyName,
  port: number,
  setupIn: (folder: string) => Setup,
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), `lei-${name}-`));
  const setup = setupIn(folder);
  await Bun.write(join(folder, 'configuration'), setup.configuration);
  const running = Bun.spawn([pathOf(name), ...setup.arguments], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const hasEnded = () => running.exitCode !== null || running.signalCode !== null;
  while (!hasEnded() && !listens(running.pid, port)) await Bun.sleep(20);
  if (hasEnded())
    throw new Error(`${name} ended with ${await running.exited}: ${await running.stderr.text()}`);
  return {
    port,
    pause: () => signalAll(running.pid, 'SIGSTOP'),
    goOn: () => signalAll(running.pid, 'SIGCONT'),
    async stop() {
      running.kill();
      await running.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Signals a process and its children. */
function signalAll(pid: number, signal: NodeJS.Signals): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
  for (const each of [pid, ...children.map(Number)]) process.kill(each, signal);
}

/** A port that was free a moment ago. */
export function freePort(): number {
  return freePorts(1);
}

/** The ports that were given to tests of this process. */
const given = new Set<number>();

/**
 * The first of so many consecutive ports that were free a moment ago and are given to nobody else in this process. They are
 * below those that the system assigns to outgoing connections, so that no connection takes one before a server does.
 */
export function freePorts(count: number): number {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * (12_000 - count));
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if (!ports.every((port) => !given.has(port) && isFree(port))) continue;
    for (const port of ports) given.add(port);
    return first;
  }
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ port, hostname: '127.0.0.1', socket: { data: () => undefined } }).stop(true);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether the process itself listens on a port. Another program may have taken the port, or have it for a moment to see
 * whether it is free: who only connects would take that one for the proxy.
 */
function listens(pid: number, port: number): boolean {
  const listener = new RegExp(`:${hexPort(port)} 00000000:0000 0A(?: +\\S+){5} +(\\d+) `, 'g');
  const sockets = Array.from(readFileSync('/proc/net/tcp', 'utf8').matchAll(listener), ([, inode]) => inode);
  return openFiles(pid).some((file) => sockets.some((inode) => file === `socket:[${inode}]`));
}

/** What the files of a process are links to; none if it has ended. */
function openFiles(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).map((file) => readlinkSync(join(folder, file)));
  } catch {
    return [];
  }
}

/** As the kernel's table shows it. */
export function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
