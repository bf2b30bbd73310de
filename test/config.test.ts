import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { readConfig } from '../src/config.ts';
import { threadsByDefault } from '../src/settings/rules.ts';
import { allSettings } from '../src/settings/table.ts';
import { withoutCredentials } from '../src/urls.ts';

describe('readConfig', () => {
  test('gives the documented defaults for an empty environment', () => {
    const { config, faults, warnings } = readConfig({});
    expect({ faults, warnings }).toEqual({ faults: [], warnings: [] });
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      baseUrl: 'http://127.0.0.1:3000',
      anonymousDaily: 100,
      accountDaily: 1000,
      burstLookup: 300,
      burstSearch: 60,
      limitsMode: 'enforce',
      keepPublications: 2,
      sample: true,
      signup: true,
      logLevel: 'info',
      compression: true,
      maxBadRows: 0.001,
      cursorSecret: null,
      trustedProxies: [],
    });
    expect(config.dataDir.startsWith('/')).toBe(true);
    expect(config.workers).toBeGreaterThanOrEqual(1);
  });

  test('reports every fault at once, each with the variable, its value and what is allowed', () => {
    const { faults } = readConfig({
      LEI_PORT: '70000',
      LEI_WORKERS: '0',
      LEI_LIMITS: 'sometimes',
      LEI_SAMPLE: 'yes',
      LEI_BASE_URL: 'lei.example',
      LEI_TRUSTED_PROXIES: '10.0.0.0/8, proxy.internal',
      LEI_MAX_BAD_ROWS: '2',
    });
    expect(faults).toEqual([
      'LEI_PORT is "70000" but must be a port number from 0 to 65535.',
      'LEI_WORKERS is "0" but must be a whole number from 1 to 256.',
      'LEI_BASE_URL is "lei.example" but must be an http(s) URL without query and fragment, since paths are appended to it.',
      'LEI_TRUSTED_PROXIES is "proxy.internal" but must be addresses or CIDR ranges separated by commas, such as 10.0.0.0/8.',
      'LEI_LIMITS is "sometimes" but must be one of enforce, shadow, off.',
      'LEI_SAMPLE is "yes" but must be one of on, off.',
      'LEI_MAX_BAD_ROWS is "2" but must be a share from 0 to 1.',
    ]);
  });

  test('uses a short cursor secret, with a warning that it may be guessed', () => {
    const { config, faults, warnings } = readConfig({ LEI_CURSOR_SECRET: 'shared-by-both-nodes' });
    expect(faults).toEqual([]);
    expect(warnings).toEqual([
      'LEI_CURSOR_SECRET has only 20 characters; with 32 or more, chosen at random, nobody can guess it.',
    ]);
    expect(config.cursorSecret).toBe('shared-by-both-nodes');
  });

  test('warns of an unknown LEI_ name and suggests the known one that has a few letters otherwise', () => {
    const { faults, warnings } = readConfig({
      LEI_PROT: '3000',
      LEI_ANONYMOUS_DAYLY: '5',
      LEI_COLOUR: 'red',
      HOME: '/',
    });
    expect(faults).toEqual([]);
    expect(warnings).toEqual([
      'LEI_PROT is not a setting of this service; did you mean LEI_PORT?',
      'LEI_ANONYMOUS_DAYLY is not a setting of this service; did you mean LEI_ANONYMOUS_DAILY?',
      'LEI_COLOUR is not a setting of this service.',
    ]);
  });

  test('ignores, with a warning, a tcp:// address that a container platform injects as LEI_PORT', () => {
    const { config, faults, warnings } = readConfig({ LEI_PORT: 'tcp://10.0.0.1:3000', PORT: '8080' });
    expect(faults).toEqual([]);
    expect(warnings).toHaveLength(1);
    expect(config.port).toBe(8080);
  });

  test('accepts the smallest and the greatest values, in either case and with spaces around them', () => {
    const { config, faults, warnings } = readConfig({
      LEI_ANONYMOUS_DAILY: ' 0 ',
      LEI_LIMITS: 'Shadow',
      LEI_CURSOR_SECRET: 's'.repeat(32),
      LEI_MAX_BAD_ROWS: '1',
      LEI_TRUSTED_PROXIES: '10.0.0.1, ::1, 10.1.0.0/16',
      LEI_BASE_URL: 'HTTPS://lei.example//',
    });
    expect({ faults, warnings }).toEqual({ faults: [], warnings: [] });
    expect(config).toMatchObject({
      anonymousDaily: 0,
      limitsMode: 'shadow',
      cursorSecret: 's'.repeat(32),
      maxBadRows: 1,
      trustedProxies: ['10.0.0.1', '::1', '10.1.0.0/16'],
      baseUrl: 'HTTPS://lei.example',
    });
  });

  test.each(['-0.1', '1.1', '0x1', '5%'])('refuses %j as the share of bad rows', (share) => {
    expect(readConfig({ LEI_MAX_BAD_ROWS: share }).faults).toEqual([
      `LEI_MAX_BAD_ROWS is "${share}" but must be a share from 0 to 1.`,
    ]);
  });

  test('uses PORT if LEI_PORT is not set, and LEI_PORT if both are', () => {
    expect(readConfig({ PORT: '8080' }).config.port).toBe(8080);
    expect(readConfig({ PORT: '8080', LEI_PORT: '9090' }).config.port).toBe(9090);
  });

  test.each([
    [
      '1',
      2,
      'LEI_KEEP_PUBLICATIONS is 1, but cursors need the previous publication, so 2 is used; lei prune --keep 1 deletes it.',
    ],
    [
      '9',
      8,
      'LEI_KEEP_PUBLICATIONS is 9, but a service keeps at most 8 open and deletes the others, so 8 is used.',
    ],
  ])('warns about %s kept publications and keeps %i', (wanted, kept, warning) => {
    const { config, faults, warnings } = readConfig({ LEI_KEEP_PUBLICATIONS: wanted });
    expect({ faults, warnings }).toEqual({ faults: [], warnings: [warning] });
    expect(config.keepPublications).toBe(kept);
  });

  test.each(['2', '8'])('keeps %s publications without a warning', (wanted) => {
    expect(readConfig({ LEI_KEEP_PUBLICATIONS: wanted }).warnings).toEqual([]);
  });

  test('reads which mapping files an update downloads, none included', () => {
    const mappings = (value: string) => readConfig({ LEI_UPDATE_MAPPINGS: value });
    expect(mappings('').config.updateMappings).toEqual([
      'isin',
      'bic',
      'mic',
      'gem',
      'qcc',
      'oc',
      'mic-list',
    ]);
    expect(mappings('oc, bic').config.updateMappings).toEqual(['bic', 'oc']);
    expect(mappings('none').config.updateMappings).toEqual([]);
    expect(mappings('bic,swift').faults).toEqual([
      'LEI_UPDATE_MAPPINGS is "swift" but must be none, or one or more of isin, bic, mic, gem, qcc, oc, mic-list, separated by commas.',
    ]);
  });

  test('lists the hosts that downloads may come from, as URLs spell them', () => {
    const hosts = (value: string) => readConfig({ LEI_DOWNLOAD_HOSTS: value });
    expect(hosts('').config.downloadHosts).toEqual([]);
    expect(hosts('Files.example, 10.0.0.1, ::1').config.downloadHosts).toEqual([
      'files.example',
      '10.0.0.1',
      '[::1]',
    ]);
    expect(hosts('https://files.example').faults).toEqual([
      'LEI_DOWNLOAD_HOSTS is "https://files.example" but must be host names or addresses separated by commas, without scheme and port.',
    ]);
    expect(hosts('files.example:8443').faults).toHaveLength(1);
  });

  test('makes paths absolute, and leaves those out that are not set', () => {
    const { config } = readConfig({ LEI_TLS_CERT: 'lei.pem' });
    expect(config).toMatchObject({ tlsCertificate: join(process.cwd(), 'lei.pem'), tlsKey: null });
  });

  test('returns the base URL without a trailing slash, with brackets around an IPv6 host', () => {
    expect(readConfig({ LEI_BASE_URL: 'https://lei.example/api/' }).config.baseUrl).toBe(
      'https://lei.example/api',
    );
    expect(readConfig({ LEI_HOST: '::1', LEI_PORT: '80' }).config.baseUrl).toBe('http://[::1]:80');
  });

  test('returns the path of the base URL, empty if it has none', () => {
    expect(readConfig({ LEI_BASE_URL: 'https://lei.example/data/lei/' }).config.basePath).toBe('/data/lei');
    for (const value of ['https://lei.example', 'https://lei.example/', 'lei.example'])
      expect([value, readConfig({ LEI_BASE_URL: value }).config.basePath]).toEqual([value, '']);
  });

  test.each([
    'https://lei.example/?tenant=1',
    'https://lei.example#top',
    'https://lei.example/a b',
    'https:lei.example',
  ])('refuses %j as the base URL, because no path can be appended to it', (value) => {
    expect(readConfig({ LEI_BASE_URL: value }).faults).toEqual([
      `LEI_BASE_URL is "${value}" but must be an http(s) URL without query and fragment, since paths are appended to it.`,
    ]);
  });

  test.each(['LEI_BASE_URL', 'LEI_SOURCE_URL'])(
    'refuses a password in %s, which is public, without repeating it',
    (name) => {
      expect(readConfig({ [name]: 'https://me:sec@ret@lei.example' }).faults).toEqual([
        `${name} is "https://…@lei.example" but must be an http(s) URL without user name and password, since it is public.`,
      ]);
    },
  );

  test.each(['me@', ':secret@', 'me:@'])('recognises %j as a user name and password', (credentials) => {
    expect(readConfig({ LEI_SOURCE_URL: `HTTPS://${credentials}lei.example` }).faults).toHaveLength(1);
    expect(withoutCredentials(`HTTPS://${credentials}lei.example`)).toBe('HTTPS://…@lei.example');
  });

  test('accepts a password for a mirror', () => {
    expect(readConfig({ LEI_MAPPING_URL: 'https://me:secret@mirror.example' }).faults).toEqual([]);
  });

  test.each(['sec"ret', 'sec ret', "sec'r<e>t", 'sec@ret'])(
    'masks the whole of a password such as %j',
    (password) => {
      const { config } = readConfig({ LEI_MIC_LIST_URL: `https://me:${password}@mirror.example/list.csv` });
      expect(withoutCredentials(`GET ${config.micListUrl}: 404`)).toBe(
        'GET https://…@mirror.example/list.csv: 404',
      );
    },
  );

  test.each([
    ['https://me:sec/ret@mirror.example', 'https://…@mirror.example'],
    ['https://me:sec#ret@mirror.example', 'https://…@mirror.example'],
    ['ftp://me:secret@mirror.example', 'ftp://…@mirror.example'],
    ['me:secret@mirror.example', '…@mirror.example'],
  ])('does not repeat the password in the malformed %j', (value, shown) => {
    expect(readConfig({ LEI_GOLDEN_COPY_URL: value }).faults[0]).toStartWith(
      `LEI_GOLDEN_COPY_URL is "${shown}" but must be an http(s) URL`,
    );
  });

  test('keeps the source URL and the URL of the ISO 10383 list as written, trailing slash included', () => {
    const { config } = readConfig({
      LEI_SOURCE_URL: 'https://data.example/lei/',
      LEI_MIC_LIST_URL: 'https://lists.example/mic/?as=csv/',
    });
    expect(config.sourceUrl).toBe('https://data.example/lei/');
    expect(config.micListUrl).toBe('https://lists.example/mic/?as=csv/');
  });

  test.each([
    'redis://127.0.0.1:6379',
    'rediss://node:p%40ss@store.example:6380/3',
    'redis://:secret@[::1]/0',
  ])('accepts %j as the shared state', (address) => {
    const { config, faults } = readConfig({ LEI_SHARED_STATE: address, LEI_NODE: 'node-1.example' });
    expect({ shared: config.sharedState, node: config.node, faults }).toEqual({
      shared: address,
      node: 'node-1.example',
      faults: [],
    });
  });

  test.each([
    'http://u:secret@store.example',
    'redis://u:sec/ret@store.example',
    'rediss://u:secret@h/0?a=1',
    'redis://',
  ])('refuses %j as the shared state without repeating its password', (address) => {
    const [fault = ''] = readConfig({ LEI_SHARED_STATE: address }).faults;
    expect(fault).toContain('must be redis://host:6379/0');
    expect(fault).not.toContain('secret');
    expect(fault).not.toContain('ret@');
  });

  test.each(['file://data/store', 'file:///', 's3:bucket', 's3://', 'ftp://u:secret@host/leis'])(
    'refuses %j as the source of publications without repeating a password',
    (address) => {
      const scheme = `${address.split(':')[0]}:…`;
      expect(readConfig({ LEI_PUBLICATION_SOURCE: address }).faults).toEqual([
        `LEI_PUBLICATION_SOURCE is "${scheme}" but must be file:///folder, https://host/folder/ or s3://bucket/prefix.`,
      ]);
    },
  );

  test('refuses a node name that could not appear in a list, and derives one from an odd host name', () => {
    expect(readConfig({ LEI_NODE: 'a b' }).faults).toEqual([
      'LEI_NODE is "a b" but must be 1 to 64 letters, digits, dots, hyphens and underscores.',
    ]);
    expect(readConfig({}).config.node).toMatch(/^[\w.-]{1,64}$/);
  });

  test('chooses the numbers of fronts and query threads by the table of decision 043', () => {
    const page = readFileSync(join(import.meta.dir, '..', 'src', 'decisions', '043-fronts.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (\d+) \| (\d+) \| (\d+) \|/gm)].map((row) =>
      row.slice(1).map(Number),
    );
    expect(rows.map(([cores]) => cores)).toEqual([1, 2, 3, 4, 8, 16, 64, 384]);
    for (const [cores = 0, fronts = 0, workers = 0] of rows) {
      expect({ cores, ...threadsByDefault(cores) }).toEqual({ cores, fronts, workers });
    }
  });

  test('accepts its own default as an explicit setting, on a machine of any size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), (cores) => {
        const { fronts, workers } = threadsByDefault(cores);
        const { config, faults } = readConfig({ LEI_FRONTS: String(fronts), LEI_WORKERS: String(workers) });
        expect({ faults, fronts: config.fronts, workers: config.workers }).toEqual({
          faults: [],
          fronts,
          workers,
        });
        expect(cores > 3 || fronts === 1).toBe(true);
      }),
    );
  });

  test.skipIf(Bun.which('taskset') === null)('counts the cores that the process may use', () => {
    const config = JSON.stringify(join(import.meta.dir, '..', 'src', 'config.ts'));
    const script = `const { fronts, workers } = (await import(${config})).readConfig({}).config;
      console.log(JSON.stringify([fronts, workers]));`;
    const { stdout } = Bun.spawnSync(['taskset', '-c', '0', process.execPath, '-e', script]);
    expect(JSON.parse(stdout.toString())).toEqual([1, 1]);
  });

  test.each(['999.1.2.3', 'http://localhost', 'localhost:3000', 'local host', 'localhost/api', '[::1]'])(
    'refuses %j as the host, and does not report the base URL made of it as a second fault',
    (host) => {
      expect(readConfig({ LEI_HOST: host }).faults).toEqual([
        `LEI_HOST is "${host}" but must be an IP address or a host name, without scheme, port or path.`,
      ]);
    },
  );

  test.each(['0.0.0.0', '::', '::1', 'fe80::1%eth0', 'localhost', 'lei_api.example'])(
    'accepts %j as the host',
    (host) => {
      const { config, faults } = readConfig({ LEI_HOST: host });
      expect({ host: config.host, faults }).toEqual({ host, faults: [] });
    },
  );

  test.each(['0.0.0.0', '::', '0:0::0'])('warns about the host %j without a base URL', (host) => {
    const { faults, warnings } = readConfig({ LEI_HOST: host, LEI_PORT: '3001' });
    const shown = host.includes(':') ? `http://[${host}]:3001` : `http://${host}:3001`;
    expect({ faults, warnings }).toEqual({
      faults: [],
      warnings: [
        `LEI_HOST is "${host}", so links and problem types show ${shown}, which no client can use: set LEI_BASE_URL to the public address.`,
      ],
    });
    const behindProxy = readConfig({ LEI_HOST: host, LEI_BASE_URL: 'https://lei.example' });
    expect(behindProxy.warnings).toEqual([]);
  });

  test('warns about no name that begins like such an address', () => {
    expect(readConfig({ LEI_HOST: '0.lei.example' }).warnings).toEqual([]);
  });

  test('never throws, whatever a variable contains', () => {
    const names = fc.constantFrom(...allSettings.map(({ variable }) => variable), 'PORT', 'LEI_ELSE');
    fc.assert(
      fc.property(fc.dictionary(names, fc.string({ unit: 'binary' })), (environment) => {
        const { config, faults } = readConfig(environment);
        expect(faults.every((fault) => fault.endsWith('.'))).toBe(true);
        expect(Object.isFrozen(config)).toBe(true);
      }),
    );
  });
});
