/** Reads objects from a web server. They are only read: a plain web server accepts no uploads. */
import type { ObjectStore } from './object-store.ts';
import { ask, objectIn } from './over-http.ts';

/** @param base URL of the folder, with a trailing slash; its user name and password are sent as Basic credentials */
export function httpStore(base: URL): ObjectStore {
  const folder = new URL(base);
  folder.username = '';
  folder.password = '';
  const address = folder.href;
  // An announcement must be current, whatever a proxy has cached.
  const headers = { 'cache-control': 'no-cache', ...authorizationOf(base) };
  return {
    address,
    read: async (name, bytesMax) =>
      objectIn(address, name, await ask(address, new URL(name, folder).href, { headers }), bytesMax),
  };
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
