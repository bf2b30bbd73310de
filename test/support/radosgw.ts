/** Runs a real S3 service on its own ports: Ceph's radosgw, with a monitor and a disk in memory behind it. */
import { join } from 'node:path';
import { temporaryFolder } from './folders.ts';
import { freePort } from './proxies.ts';

export interface S3Server {
  /** What S3 tools need, for the one user who owns the bucket. */
  readonly environment: Readonly<Record<string, string>>;
  readonly bucket: string;
  stop(): Promise<void>;
}

const keys = {
  AWS_ACCESS_KEY_ID: 'fleet',
  AWS_SECRET_ACCESS_KEY: 'secret-of-the-fleet',
  AWS_REGION: 'default',
};
const bucket = 'leis';
const clusterId = '11111111-2222-3333-4444-555555555555';

/** Without keys between its own daemons: they listen on loopback only. */
function configuration(folder: string, monitor: number, gateway: number): string {
  const unencrypted = [
    'ms mon cluster',
    'ms mon service',
    'ms mon client',
    'ms cluster',
    'ms service',
    'ms client',
  ];
  return `[global]
fsid = ${clusterId}
mon host = v2:127.0.0.1:${monitor}
public addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
${unencrypted.map((name) => `${name} mode = crc\n`).join('')}osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon data avail crit = 1
osd crush chooseleaf type = 0
run dir = ${folder}
log file =
admin socket =
[mon]
mon data = ${folder}/mon
mon cluster log file =
[osd]
osd data = ${folder}/osd
osd objectstore = memstore
[client]
keyring = /dev/null
rgw frontends = beast endpoint=127.0.0.1:${gateway}
`;
}

export async function startRadosgw(): Promise<S3Server> {
  const folder = temporaryFolder('ceph');
  const [monitor, gateway] = [freePort(), freePort()];
  const path = join(folder, 'ceph.conf');
  await Bun.write(path, configuration(folder, monitor, gateway));
  const spawned = (command: readonly string[]) =>
    Bun.spawn([...command], { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' });
  const run = async (program: string, ...args: readonly string[]) => {
    const status = await spawned([program, '-c', path, ...args]).exited;
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}.`);
  };
  const daemons: Bun.Subprocess[] = [];
  const start = (program: string, ...args: readonly string[]) =>
    void daemons.push(spawned([program, '-c', path, '-f', ...args]));

  await Promise.all(['mon', 'osd'].map((name) => Bun.$`mkdir ${join(folder, name)}`.quiet()));
  const map = join(folder, 'monmap');
  await run('monmaptool', '--create', '--addv', 'a', `[v2:127.0.0.1:${monitor}]`, '--fsid', clusterId, map);
  await run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map);
  start('ceph-mon', '-i', 'a');
  await run('ceph', 'osd', 'create');
  await run('ceph-osd', '-i', '0', '--mkfs');
  start('ceph-osd', '-i', '0');
  const { AWS_ACCESS_KEY_ID: access, AWS_SECRET_ACCESS_KEY: secret } = keys;
  const user = ['--uid=fleet', '--display-name=fleet', `--access-key=${access}`, `--secret-key=${secret}`];
  await run('radosgw-admin', 'user', 'create', ...user);
  start('radosgw', '--name', 'client.rgw');
  const endpoint = `http://127.0.0.1:${gateway}`;
  await makeBucket(endpoint, access, secret);
  return {
    environment: { ...keys, AWS_ENDPOINT_URL: endpoint },
    bucket,
    async stop() {
      for (const daemon of daemons) daemon.kill('SIGKILL');
      await Promise.all(daemons.map(({ exited }) => exited));
    },
  };
}

/** Bun's client cannot create buckets; it signs the request for an object with the bucket's address. */
async function makeBucket(endpoint: string, accessKeyId: string, secretAccessKey: string): Promise<void> {
  const region = keys.AWS_REGION;
  const client = new Bun.S3Client({
    endpoint,
    region,
    accessKeyId,
    secretAccessKey,
    virtualHostedStyle: true,
  });
  for (;;) {
    const answer = await fetch(client.presign(bucket, { method: 'PUT' }), { method: 'PUT' }).catch(
      () => null,
    );
    if (answer?.ok === true) return;
    await Bun.sleep(100);
  }
}
