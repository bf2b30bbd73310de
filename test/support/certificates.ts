/** Makes real certificate chains with openssl: a root, an issuer below it, and the certificate of the service. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { temporaryFolder } from './folders.ts';
import { pathOf } from './programs.ts';

export interface TestAuthority {
  readonly folder: string;
  /** PEM of the root that clients trust. */
  readonly root: string;
}

export interface MadeCertificate {
  /** PEM of the certificate with its issuer. */
  readonly chain: string;
  readonly key: string;
  readonly name: string;
}

async function openssl(folder: string, ...args: readonly string[]): Promise<string> {
  const running = Bun.spawn([pathOf('openssl'), ...args], {
    cwd: folder,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [said, complaint, code] = await Promise.all([
    running.stdout.text(),
    running.stderr.text(),
    running.exited,
  ]);
  if (code !== 0) throw new Error(`openssl ${args.join(' ')}: ${complaint}`);
  return said;
}

/** Every word is an argument of its own. */
const words = (text: string) => text.split(' ');

const newKey = (curve = 'prime256v1') => words(`req -newkey ec -pkeyopt ec_paramgen_curve:${curve} -nodes`);

/** A serial number of its own: a shared file of serial numbers fails when two certificates are made at once. */
const newSerial = () => ['-set_serial', `0x${randomBytes(8).toString('hex')}`];

/** A root and an issuer that it has signed. */
export async function makeAuthority(): Promise<TestAuthority> {
  const folder = temporaryFolder('authority');
  const root = words('-x509 -keyout root.key -out root.pem -days 3 -subj');
  await openssl(folder, ...newKey(), ...root, '/CN=Test root');
  await openssl(folder, ...newKey(), ...words('-keyout issuer.key -out issuer.csr -subj'), '/CN=Test issuer');
  await Bun.write(join(folder, 'issuer.ext'), 'basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign\n');
  await sign(folder, 'issuer', 'root', 2);
  return { folder, root: readFileSync(join(folder, 'root.pem'), 'utf8') };
}

/** A certificate for 127.0.0.1 and localhost. @param name its common name @param curve of its key */
export async function makeCertificate(
  { folder }: TestAuthority,
  name: string,
  curve?: string,
): Promise<MadeCertificate> {
  const files = ['-keyout', `${name}.key`, '-out', `${name}.csr`];
  await openssl(folder, ...newKey(curve), ...files, '-subj', `/CN=${name}`);
  await Bun.write(join(folder, `${name}.ext`), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  await sign(folder, name, 'issuer', 1);
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  return { chain: read(`${name}.pem`) + read('issuer.pem'), key: read(`${name}.key`), name };
}

/** Makes NAME.pem from the request NAME.csr. */
async function sign(folder: string, name: string, by: string, days: number): Promise<void> {
  const files = ['-in', `${name}.csr`, '-out', `${name}.pem`, '-extfile', `${name}.ext`];
  const issuer = ['-CA', `${by}.pem`, '-CAkey', `${by}.key`, '-days', String(days)];
  await openssl(folder, 'x509', '-req', ...files, ...issuer, ...newSerial());
}

/** The files of a service's certificate, whose contents a renewal replaces. */
export class CertificateFiles {
  readonly certificate: string;
  readonly key: string;

  constructor(first: Pick<MadeCertificate, 'chain' | 'key'>) {
    const folder = temporaryFolder('tls');
    this.certificate = join(folder, 'chain.pem');
    this.key = join(folder, 'key.pem');
    this.replaceBy(first);
  }

  replaceBy({ chain, key }: Pick<MadeCertificate, 'chain' | 'key'>): void {
    // It may be a pipe, which nobody reads.
    rmSync(this.certificate, { force: true });
    writeFileSync(this.certificate, chain);
    writeFileSync(this.key, key);
  }

  /** Puts a pipe in place of the certificate. */
  replaceByPipe(): void {
    rmSync(this.certificate);
    execFileSync('mkfifo', [this.certificate]);
  }

  get settings() {
    return { LEI_TLS_CERT: this.certificate, LEI_TLS_KEY: this.key };
  }
}

/** The common name of the certificate that a new connection to a port of this machine sees. */
export function shownName(port: number, { root }: TestAuthority): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ca: root }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.once('error', reject);
  });
}
