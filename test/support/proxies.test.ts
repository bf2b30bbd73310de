/** Tests what tests of proxies rely on: that the proxy which they talk to is the one that they started. */
import { expect, test } from 'bun:test';
import { isInstalled, titled } from './programs.ts';
import { freePort, startHaproxyWith } from './proxies.ts';

test.if(isInstalled('haproxy'))(
  titled('a program that has the port of a proxy is not taken for it', 'haproxy'),
  async () => {
    const port = freePort();
    const other = Bun.listen({ port, hostname: '127.0.0.1', socket: { data: () => undefined } });
    const frontend = `defaults\n  mode http\n  timeout client 1s\nfrontend one\n  bind 127.0.0.1:${port}\n`;
    await expect(startHaproxyWith(() => frontend, port)).rejects.toThrow('haproxy ended with 1');
    other.stop(true);
  },
);

test('no free port is given twice, so that the two addresses of a service differ', () => {
  const ports = Array.from({ length: 500 }, freePort);
  expect(new Set(ports).size).toBe(ports.length);
});
