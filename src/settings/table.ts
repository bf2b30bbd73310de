/**
 * Every setting: its variable, its default, how its value is read, and the text of its row in the README. Parsing,
 * faults, the warning of unknown names, the list of changed settings and the README's table follow from this table.
 */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { encodedCredentials } from '../urls.ts';
import { adminAddress, hosts, listenHost, networks, publicationSource, sharedState } from './addresses.ts';
import {
  cursorSecret,
  frontsMax,
  hostNodeName,
  keptPublications,
  mappingNames,
  mappings,
  nodeName,
  optionalPath,
  port,
  requestLogRule,
  threadsByDefault,
  workersMax,
} from './rules.ts';
import {
  choice,
  contact,
  httpUrl,
  onOff,
  optionalText,
  publicly,
  publicUrlStart,
  type ReadValue,
  share,
  text,
  urlStart,
  whole,
} from './values.ts';

/**
 * The greatest quotas, for everybody and for one account: requests per UTC day, and requests of one kind per minute.
 */
export const quotaMax = { daily: 1e12, burst: 1e9 } as const;
/** The greatest limit of the sign-up page. */
const signupsPerDayMax = 1e6;
/** The server can't let a connection idle longer. */
const keepAliveSecondsMax = 240;
const drainSecondsMax = 3_600;
const portByDefault = 3000;
const hostByDefault = '127.0.0.1';

export interface Setting {
  readonly variable: `LEI_${string}`;
  /** The value where none is set; a function where it depends on the machine. */
  readonly standard: string | (() => string);
  /** How the README shows the default, as Markdown; needed where it is more than `standard` in backquotes. */
  readonly standardText?: string;
  /** The text of the setting's row in the README, as Markdown. */
  readonly about: string;
  /** True for a value that only the operator may know. */
  readonly secret?: true;
  readonly read: ReadValue<unknown>;
}

export const settings = {
  port: {
    variable: 'LEI_PORT',
    standard: String(portByDefault),
    about: 'port to listen on; if it is not set, `PORT` is used',
    read: port(portByDefault),
  },
  host: {
    variable: 'LEI_HOST',
    standard: hostByDefault,
    about: 'address to listen on; with `0.0.0.0` or `::`, set `LEI_BASE_URL` too',
    read: listenHost(hostByDefault),
  },
  /** An absolute path. */
  dataDir: {
    variable: 'LEI_DATA_DIR',
    standard: './data',
    about:
      "folder of publications, state and downloads; under `npm` and `bun run` the default is the project's folder `data`",
    read: (value) => resolve(value),
  },
  fronts: {
    variable: 'LEI_FRONTS',
    standard: () => String(threadsByDefault(availableParallelism()).fronts),
    standardText: 'one for up to three usable cores, otherwise half of them, at most 64',
    about:
      'threads that answer HTTP, all on the same port; a single one runs in the main thread ([decision 043](src/decisions/043-fronts.md))',
    read: whole(1, frontsMax),
  },
  workers: {
    variable: 'LEI_WORKERS',
    standard: () => String(threadsByDefault(availableParallelism()).workers),
    standardText: 'cores − 1, at least 1',
    about: 'query threads',
    read: whole(1, workersMax),
  },
  /** Null for the service's own address. */
  publicUrl: {
    variable: 'LEI_BASE_URL',
    standard: '',
    standardText: '`http://HOST:PORT`, `https` with TLS',
    about: 'public address, including the path that a proxy adds; problem types and links show it',
    read: publicUrlStart,
  },
  trustedProxies: {
    variable: 'LEI_TRUSTED_PROXIES',
    standard: '',
    about: 'addresses or CIDR ranges of proxies whose `X-Forwarded-For` is trusted, separated by commas',
    read: networks,
  },
  anonymousDaily: {
    variable: 'LEI_ANONYMOUS_DAILY',
    standard: '100',
    about: 'requests per UTC day for a client without a key',
    read: whole(0, quotaMax.daily),
  },
  accountDaily: {
    variable: 'LEI_ACCOUNT_DAILY',
    standard: '1000',
    about: 'requests per UTC day for an account',
    read: whole(0, quotaMax.daily),
  },
  burstLookup: {
    variable: 'LEI_BURST_LOOKUP',
    standard: '300',
    about: 'look-ups in any 60 seconds',
    read: whole(0, quotaMax.burst),
  },
  burstSearch: {
    variable: 'LEI_BURST_SEARCH',
    standard: '60',
    about: 'searches, relationships and changes in any 60 seconds',
    read: whole(0, quotaMax.burst),
  },
  pagesBurst: {
    variable: 'LEI_PAGES_BURST',
    standard: '240',
    about:
      "units of pages with data and of suggestions for one client in any 60 seconds; separate from the API's quotas",
    read: whole(0, quotaMax.burst),
  },
  pagesDaily: {
    variable: 'LEI_PAGES_DAILY',
    standard: '1000',
    about:
      'the same per UTC day; a page of results and a matched name cost 1 unit each, the page of a company 5',
    read: whole(0, quotaMax.daily),
  },
  limitsMode: {
    variable: 'LEI_LIMITS',
    standard: 'enforce',
    about:
      '`enforce` refuses what is over a limit; `shadow` counts and reports but never refuses; `off` neither counts nor reports',
    read: choice('enforce', 'shadow', 'off'),
  },
  /** 2 to {@link keptPublicationsMax}. */
  keepPublications: {
    variable: 'LEI_KEEP_PUBLICATIONS',
    standard: '2',
    about: 'publications kept open and on disk, 2 to 8',
    read: keptPublications,
  },
  sample: {
    variable: 'LEI_SAMPLE',
    standard: 'on',
    about:
      'load the bundled sample on the first start, but not with `LEI_PUBLICATION_SOURCE`; with `off` the service answers 503 until data is loaded',
    read: onOff,
  },
  /** The store of announced publications to follow, as a URL that may contain a password; null for none. */
  publicationSource: {
    variable: 'LEI_PUBLICATION_SOURCE',
    standard: '',
    about:
      'store whose announcements the service follows: `file:///folder`, `https://host/folder/` or `s3://bucket/prefix`',
    read: publicationSource,
  },
  /** The public key that announcements must be signed with, as a path; null for any announcement. */
  publicationKey: {
    variable: 'LEI_PUBLICATION_KEY',
    standard: '',
    about:
      'PEM file of an Ed25519 public key; the service then follows only announcements that this key has signed ([how to sign](docs/fleet.md#signed-announcements))',
    read: optionalPath,
  },
  /**
   * The store of a fleet's accounts, counts and secrets, as a URL that may contain a password; null for this data
   * folder.
   */
  sharedState: {
    variable: 'LEI_SHARED_STATE',
    standard: '',
    about:
      'Redis (7.0 or later) or Valkey (7.2 or later) for the accounts, keys, quotas and secrets of a fleet: `redis://user:password@host:6379/0`, `rediss://` for TLS',
    read: sharedState,
  },
  /** The share of each limit that a node admits while the shared state is away: its own part, or all of it. */
  sharedDown: {
    variable: 'LEI_SHARED_DOWN',
    standard: 'share',
    about:
      'what a node admits while the shared state is unavailable: `share`, each limit divided by the number of nodes; `full`, the whole limit',
    read: choice('share', 'full'),
  },
  /** The name of this node in its fleet. */
  node: {
    variable: 'LEI_NODE',
    standard: hostNodeName,
    standardText: "the host's name",
    about: 'the name of this node in its fleet, which no other node has: letters, digits, `.`, `-` and `_`',
    read: nodeName,
  },
  gleifApi: {
    variable: 'LEI_GLEIF_API',
    standard: 'on',
    about: "answer as GLEIF's own API does, at `/gleif/api/v1` ([docs/gleif-api.md](docs/gleif-api.md))",
    read: onOff,
  },
  /** Null for the path below the service's own address. */
  gleifUrl: {
    variable: 'LEI_GLEIF_BASE_URL',
    standard: '',
    standardText: '`LEI_BASE_URL` + `/gleif/api/v1`',
    about: "public address of GLEIF's API in its links, for a proxy that gives it a host of its own",
    read: publicUrlStart,
  },
  signup: {
    variable: 'LEI_SIGNUP',
    standard: 'on',
    about: 'show the sign-up page',
    read: onOff,
  },
  signupsByClient: {
    variable: 'LEI_SIGNUP_CLIENT_DAILY',
    standard: '10',
    about: 'accounts that the sign-up page creates for one address (an IPv6 /64) per UTC day',
    read: whole(1, signupsPerDayMax),
  },
  signupsByNetwork: {
    variable: 'LEI_SIGNUP_NETWORK_DAILY',
    standard: '30',
    about: 'the same for one network (an IPv4 /24, an IPv6 /48)',
    read: whole(1, signupsPerDayMax),
  },
  signupsInAll: {
    variable: 'LEI_SIGNUP_DAILY',
    standard: '1000',
    about: 'the same for all clients; once half are used, each network gets only one',
    read: whole(1, signupsPerDayMax),
  },
  licenseNotice: {
    variable: 'LEI_LICENSE_NOTICE',
    standard: 'LEI data © GLEIF, published under CC0 1.0.',
    about: 'text of `meta.licenseNotice`; the service adds third-party notices where they apply',
    read: text,
  },
  sourceUrl: {
    variable: 'LEI_SOURCE_URL',
    standard: 'https://www.gleif.org/en/lei-data/gleif-golden-copy',
    about: 'value of `meta.sourceUrl`',
    read: publicly(httpUrl),
  },
  /** The operator's contact: a `mailto:` or http(s) link that the description and the pages show. */
  contact: {
    variable: 'LEI_CONTACT',
    standard: '',
    about: 'e-mail address or URL of the operator; the OpenAPI description and the pages show it',
    read: publicly(contact),
  },
  cursorSecret: {
    variable: 'LEI_CURSOR_SECRET',
    standard: '',
    about:
      'secret of the cursors, the same on all nodes behind one address, best 32 random characters or more; by default the service generates and keeps one',
    secret: true,
    read: cursorSecret,
  },
  /** The key with which `lei mcp` asks a service; null for none. */
  key: {
    variable: 'LEI_KEY',
    standard: '',
    about: 'API key that `lei mcp --url` sends',
    secret: true,
    read: optionalText,
  },
  logLevel: {
    variable: 'LEI_LOG_LEVEL',
    standard: 'info',
    about: 'least severe level that is logged: `debug`, `info`, `warn` or `error`',
    read: choice('debug', 'info', 'warn', 'error'),
  },
  logRequests: {
    variable: 'LEI_LOG_REQUESTS',
    standard: 'errors,slow:1000',
    about:
      'requests that are logged at level `info`: `all`, `errors` (5xx, and 4xx except 404 and 429), `slow:MS` or `off`; several separated by commas',
    read: requestLogRule,
  },
  /** Null for no admin server. */
  admin: {
    variable: 'LEI_ADMIN',
    standard: '',
    about: '`host:port` or the path of a socket for `/livez`, `/readyz` and `/metrics`; none by default',
    read: adminAddress,
  },
  tlsCertificate: {
    variable: 'LEI_TLS_CERT',
    standard: '',
    about: 'PEM file of the certificate with its chain; with `LEI_TLS_KEY`, `LEI_PORT` speaks HTTPS',
    read: optionalPath,
  },
  tlsKey: {
    variable: 'LEI_TLS_KEY',
    standard: '',
    about: "PEM file of the certificate's key",
    read: optionalPath,
  },
  /** The minimum time that an idle connection stays open. */
  keepAliveSeconds: {
    variable: 'LEI_KEEP_ALIVE_SECONDS',
    standard: '75',
    about:
      'minimum time that an idle connection stays open, 1 to 240; set it longer than that of the balancer',
    read: whole(1, keepAliveSecondsMax),
  },
  /** How long the service keeps accepting once it is told to stop. */
  drainSeconds: {
    variable: 'LEI_DRAIN_SECONDS',
    standard: '0',
    about:
      'time that the service keeps accepting requests after SIGTERM, so that balancers notice `/readyz` first',
    read: whole(0, drainSecondsMax),
  },
  compression: {
    variable: 'LEI_COMPRESSION',
    standard: 'on',
    about: 'compress bodies over 4 KiB; set `off` if a proxy does it',
    read: onOff,
  },
  /** Tolerated share of bad rows over one whole load, 0 to 1. */
  maxBadRows: {
    variable: 'LEI_MAX_BAD_ROWS',
    standard: '0.001',
    about: 'tolerated share of bad rows in one load',
    read: share,
  },
  /** The service that `lei update` asks for new files. */
  goldenCopyUrl: {
    variable: 'LEI_GOLDEN_COPY_URL',
    standard: 'https://goldencopy.gleif.org/api/v2/golden-copies/publishes',
    about: 'address from which `lei update` gets golden copies',
    read: urlStart,
  },
  mappingUrl: {
    variable: 'LEI_MAPPING_URL',
    standard: 'https://mapping.gleif.org/api/v2',
    about: 'address from which `lei update` gets mapping files',
    read: urlStart,
  },
  micListUrl: {
    variable: 'LEI_MIC_LIST_URL',
    standard: 'https://www.iso20022.org/sites/default/files/ISO10383_MIC/ISO10383_MIC.csv',
    about: 'address from which `lei update` gets the ISO 10383 list',
    read: (value, remarks) => encodedCredentials(httpUrl(value, remarks)),
  },
  /** Host names that `lei update` may follow links and redirects to, besides GLEIF's and the publishers'. */
  downloadHosts: {
    variable: 'LEI_DOWNLOAD_HOSTS',
    standard: '',
    about:
      "further hosts that links and redirects of a publisher may lead to, separated by commas; GLEIF's hosts are always allowed",
    read: hosts,
  },
  /** The mapping files that `lei update` downloads besides the golden copy. */
  updateMappings: {
    variable: 'LEI_UPDATE_MAPPINGS',
    standard: mappingNames.join(','),
    about: 'mapping files that `lei update` fetches besides the golden copy; `none` for none',
    read: mappings,
  },
} satisfies Readonly<Record<string, Setting>>;

/** The value of every setting. */
export type Settings = {
  readonly [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]['read']>;
};

/** The rows of the table, in its order. */
export const allSettings: readonly Setting[] = Object.values(settings);
