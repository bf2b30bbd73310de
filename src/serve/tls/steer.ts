/**
 * Sends new connections to the listeners that have a new certificate. Listeners can't change their certificate, and one
 * that closes resets the connections that it has not accepted yet. So the older ones stay open, and the kernel is given
 * a program that passes them over. The kernel identifies listeners by their place in a group. No call returns the
 * places, so one connection to each place finds out which certificate is there.
 */
import { X509Certificate } from 'node:crypto';
import type { DetailedPeerCertificate } from 'node:tls';
import { certificatesIn } from '../../http/certificate.ts';
import { type BpfInstruction, chooseListener } from '../../system/linux-sockets.ts';
import { listenersOn } from '../connections/keep-room.ts';

/** A listener of this process that answers no handshake for this long is left out. */
const handshakeTimeoutMs = 2_000;

/**
 * @param host that the service listens on
 * @param chain PEM of the new certificate and its chain
 * @returns whether new connections go to the new listeners only
 */
export async function steerToCertificate(port: number, host: string, chain: string): Promise<boolean> {
  const listeners = listenersOn(port);
  const [any] = listeners;
  if (any === undefined) return false;
  const wanted = certificatesIn(chain).map((text) => new X509Certificate(text).fingerprint256);
  const shown: (readonly string[])[] = [];
  for (const place of listeners.keys()) {
    if (!chooseListener(any, always(place))) return false;
    shown.push(await shownAt(port, reachable(host)));
  }
  const places = placesOf(shown, wanted);
  return places.length > 0 && chooseListener(any, oneOf(places));
}

/** The places that show the whole chain; if a client does not see all of it, those with the certificate itself. */
function placesOf(shown: readonly (readonly string[])[], wanted: readonly string[]): readonly number[] {
  const places = [...shown.keys()];
  const whole = places.filter((place) => shown[place]?.join() === wanted.join());
  return whole.length > 0 ? whole : places.filter((place) => shown[place]?.[0] === wanted[0]);
}

/** Codes of classic BPF: load, remainder, compare, return; and the address from which a load reads a random number. */
const bpf = { load: 0x20, remainder: 0x94, equals: 0x15, returnNumber: 0x06 } as const;
const randomNumber = 0xfffff000 + 56;

function always(place: number): readonly BpfInstruction[] {
  return [[bpf.returnNumber, 0, 0, place]];
}

/** Any of the places, at random. */
function oneOf(places: readonly number[]): readonly BpfInstruction[] {
  const choices = places.flatMap((place, lot): readonly BpfInstruction[] => [
    [bpf.equals, 0, 1, lot],
    [bpf.returnNumber, 0, 0, place],
  ]);
  return [
    [bpf.load, 0, 0, randomNumber],
    [bpf.remainder, 0, 0, places.length],
    ...choices,
    ...always(places[0] ?? 0),
  ];
}

/** The digests of the certificates that a new connection receives; none if there is no answer. */
async function shownAt(port: number, host: string): Promise<readonly string[]> {
  const { connect } = await import('node:tls');
  return new Promise((resolve) => {
    // Accept any issuer: only the identity of the certificate matters here.
    const socket = connect({ port, host, rejectUnauthorized: false });
    const end = (digests: readonly string[]) => {
      socket.destroy();
      resolve(digests);
    };
    socket.setTimeout(handshakeTimeoutMs, () => end([]));
    socket.once('secureConnect', () => end(chainOf(socket.getPeerCertificate(true))));
    socket.once('error', () => end([]));
  });
}

function chainOf(own: DetailedPeerCertificate): readonly string[] {
  const digests: string[] = [];
  // A root names itself as its issuer.
  for (
    let next = own;
    next?.fingerprint256 && !digests.includes(next.fingerprint256);
    next = next.issuerCertificate
  )
    digests.push(next.fingerprint256);
  return digests;
}

/** An address at which a listener on all addresses can be reached. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
