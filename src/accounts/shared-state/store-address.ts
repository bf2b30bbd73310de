/** Parses LEI_SHARED_STATE: the address of a Redis or Valkey server with its credentials. */

export interface StoreAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly username: string | null;
  readonly password: string | null;
  /** Number of the database. */
  readonly database: number;
}

/** @param url checked before, with {@link isSharedStateUrl} of the settings */
export function readStoreAddress(url: string): StoreAddress {
  const { hostname, port, protocol, username, password, pathname } = new URL(url);
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || 6379),
    tls: protocol === 'rediss:',
    username: username === '' ? null : decodeURIComponent(username),
    password: password === '' ? null : decodeURIComponent(password),
    database: Number(pathname.slice(1) || 0),
  };
}

/** The store's address for messages: without user name and password. */
export function shownAddress({ host, port, tls, database }: StoreAddress): string {
  return `${tls ? 'rediss' : 'redis'}://${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
}
