/**
 * The listeners of a front: one, and with HTTPS another for each certificate that has replaced it. A listener can't
 * change its certificate, and one that closes resets connections that it has not accepted, so earlier ones stay open.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { PemTexts } from './certificate.ts';
import type { Connections, createServer } from './server.ts';

interface ListenAt {
  /** 0 lets the system choose. */
  readonly port: number;
  readonly host: string;
  /** Whether other listeners of this service use the port too. */
  readonly shared: boolean;
  /** For HTTPS; absent or null for HTTP. */
  readonly certificate?: PemTexts | null;
}

export interface Listeners {
  /**
   * Starts to accept connections.
   * @returns the port
   * @throws the system's error if it can't
   */
  listen(at: ListenAt): number;
  /**
   * Accepts connections with another certificate too. Those with the previous one end with their next answer.
   * @throws the system's error if the certificate can't be used; then nothing has changed
   */
  renew(certificate: PemTexts): void;
  /** Stops accepting connections with earlier certificates. */
  forgetEarlier(): Promise<void>;
  /** From now on each connection ends with its next answer, so that clients and balancers go elsewhere. */
  drain(): void;
  /**
   * Stops accepting and resolves once every request in flight is answered.
   * @param force ends the connections that still wait
   */
  stop(force?: boolean): Promise<void>;
}

type Server = Bun.Server<undefined>;

/**
 * One more closes the oldest, which receives no more connections. Closing loses requests on connections that are still
 * open, so `CertificateFollower` lets so many renewals take longer than a connection may be idle.
 */
export const listenersMax = 16;

/** A stop looks this often whether requests are open. */
const looksEveryMs = 50;

/** A stop that has seen no open request in this many looks ends the connections that are left. */
const quietLooks = 20;

/** For TLS 1.2: ciphers with forward secrecy and authenticated encryption. All ciphers of TLS 1.3 have both. */
const ciphers = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** @param create makes what a server answers */
export function createListeners(
  create: (connections: Connections) => ReturnType<typeof createServer>,
): Listeners {
  /** The newest last. */
  let open: readonly { readonly server: Server; readonly connections: { draining: boolean } }[] = [];
  let place: ListenAt | null = null;
  /** The server that opened last; null before the first. Any of them knows the connections of all. */
  const newest = () => open.at(-1)?.server ?? null;
  const ofAll: Omit<Connections, 'draining'> = {
    peerOf: (request) => newest()?.requestIP(request)?.address ?? '',
    keepOpen: (request, seconds) => newest()?.timeout(request, seconds),
  };
  const add = ({ port, host, shared, certificate = null }: ListenAt) => {
    const connections = { draining: false, ...ofAll };
    const address = { port, hostname: host, reusePort: shared, ...secured(certificate) };
    open = [...open, { server: Bun.serve({ ...create(connections), ...address }), connections }];
  };
  const drain = (listeners: typeof open) => {
    for (const { connections } of listeners) connections.draining = true;
  };
  const keep = async (count: number) => {
    const earlier = open.slice(0, -count);
    open = open.slice(-count);
    await Promise.all(earlier.map(({ server }) => server.stop()));
  };
  return {
    listen(at) {
      add(at);
      place = { ...at, port: newest()?.port ?? at.port };
      return place.port;
    },
    renew(certificate) {
      if (place === null) throw new Error('Nothing listens that could get another certificate.');
      const earlier = open;
      add({ ...place, certificate });
      drain(earlier);
      void keep(listenersMax);
    },
    forgetEarlier: () => keep(1),
    drain: () => drain(open),
    async stop(force = false) {
      const servers = open.map(({ server }) => server);
      await (force ? Promise.all(servers.map((server) => server.stop(true))) : finish(servers));
    },
  };
}

/**
 * Stops servers once every request is answered. A server closes idle connections by itself, except with HTTPS: one that
 * has sent no request stays open, and another until its client closes its side too.
 */
async function finish(servers: readonly Server[]): Promise<void> {
  const finished = Promise.all(servers.map((server) => server.stop())).then(() => true);
  const isBusy = () => servers.some(({ pendingRequests }) => pendingRequests > 0);
  // A request may be on its way while none is open, so one quiet look is not enough.
  for (let quiet = 0; quiet < quietLooks; quiet = isBusy() ? 0 : quiet + 1) {
    if (await Promise.race([finished, pause(looksEveryMs, false)])) return;
  }
  await Promise.all(servers.map((server) => server.stop(true)));
}

function secured(certificate: PemTexts | null) {
  return certificate === null ? {} : { tls: { cert: certificate.chain, key: certificate.key, ciphers } };
}
