/** A TCP proxy that passes bytes on, delays them, or stops passing them on. */
import { connect, createServer, type Socket } from 'node:net';

export type Mood = 'passes' | 'late' | 'hangs';

export interface MoodyProxy {
  readonly port: number;
  mood: Mood;
  /** The port that new connections go to. */
  to: number;
  stop(): void;
}

/** @param lateMs how much later each piece of an answer arrives while it is `late` */
export async function startMoodyProxy(to: number, lateMs = 0): Promise<MoodyProxy> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const store = connect(proxy.to, '127.0.0.1');
    keep(client);
    keep(store);
    client.on('data', (bytes) => {
      if (proxy.mood !== 'hangs') store.write(bytes);
    });
    store.on('data', (bytes) => {
      if (proxy.mood === 'late') setTimeout(() => client.write(bytes), lateMs);
      else if (proxy.mood === 'passes') client.write(bytes);
    });
    client.on('close', () => store.destroy());
    store.on('close', () => client.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const proxy: MoodyProxy = {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    mood: 'passes',
    to,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return proxy;
}
