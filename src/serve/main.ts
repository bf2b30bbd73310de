/**
 * Assembles the service. Ready first, then listen: state, query threads, the active publication, the port. Without a
 * publication it listens at once and answers 503 until there is one.
 */

import { setTimeout as pause } from 'node:timers/promises';
import packageJson from '../../package.json' with { type: 'json' };
import { accountFeed } from '../accounts/access/account-feed.ts';
import { proxyTest } from '../accounts/access/client-address.ts';
import { keyUses } from '../accounts/access/key-ring.ts';
import { createAccountDesk } from '../accounts/desk/account-desk.ts';
import { shownLimits } from '../api/service-limits.ts';
import { serviceStatus } from '../api/status.ts';
import type { Config, TlsFiles } from '../config.ts';
import { ExpectedFailure, errorCode } from '../errors.ts';
import { operations } from '../front/all-routes.ts';
import { type Certificate, certificateOf, readPemTexts, UnusableCertificate } from '../http/certificate.ts';
import type { Publications } from '../http/publication-texts.ts';
import { calmLog } from '../log/calm-log.ts';
import { type Log, logCollector, logObserver } from '../log/log.ts';
import { joinObservers, measuring, type Observer } from '../ports/observer.ts';
import type { OpenState, State } from '../ports/state.ts';
import { controlClient } from '../protocol/control-client.ts';
import type { ControlHandler } from '../protocol/control-server.ts';
import { expectFreeing } from '../protocol/json-bytes.ts';
import { questionKinds } from '../protocol/questions.ts';
import { isCheckedAsRead, type Layout, layout } from '../publication/layout.ts';
import { holdLock, LockHeld } from '../publication/lock.ts';
import type { AdminAddress } from '../settings/addresses.ts';
import { loadTracer } from '../tracing/load.ts';
import { hostInUrl } from '../urls.ts';
import { type ServiceWatch, watchService } from './admin/watch-service.ts';
import { keepRoom } from './connections/keep-room.ts';
import { controlHandler, openControl } from './control.ts';
import { joinFleet, publicationKey } from './fleet/join-fleet.ts';
import { createHousekeeping } from './housekeeping.ts';
import { operated } from './service-facts.ts';
import { watchStore } from './store-watch.ts';
import { type BringIntoMemory, bringIntoMemory } from './swap/bring-into-memory.ts';
import type { InspectPublication } from './swap/inspect-publication.ts';
import { ServicePublications } from './swap/publications.ts';
import { scrub } from './swap/scrub.ts';
import { FrontThreads } from './threads/front-threads.ts';
import { type Fronts, type FrontsInThreads, frontHere, namesOfFronts } from './threads/fronts.ts';
import { type SpawnThread, workerThreads } from './threads/pool-thread.ts';
import { QueryThreads } from './threads/query-pool.ts';
import { followCertificate } from './tls/follow-certificate.ts';

/** How long a shutdown waits for requests in flight. */
const drainTimeoutMs = 10_000;

export interface Service {
  /** Its address, without a trailing slash. */
  readonly url: string;
  readonly publications: Publications;
  /** Resolves when a publication is served, or when the service waits for one. */
  readonly ready: Promise<void>;
  /** The address of the admin server; null for none. */
  readonly admin: string | null;
  /** Checks for a new certificate on disk now. */
  renewCertificate(): Promise<void>;
  /** Drains for LEI_DRAIN_SECONDS, finishes open requests and closes everything. Resolves when it is done. */
  stop(): Promise<void>;
}

interface ServiceOptions {
  readonly log: Log;
  readonly openState: OpenState;
  /** Makes the bundled sample the active publication; called if there is none and LEI_SAMPLE is on. */
  readonly loadSample: (publications: ServicePublications, aborted: AbortSignal) => Promise<void>;
  /** Inspects each publication before a thread opens it. */
  readonly inspect: InspectPublication;
  /** Starts query threads; by default in workers of their own. */
  readonly spawn?: SpawnThread;
}

/** Why the service does not start; for the operator. */
class StartFailure extends ExpectedFailure {
  override readonly name = 'StartFailure';
  constructor(message: string) {
    super('not-started', message);
  }
}

/** Starts the service and resolves once it listens. Rejects, with everything closed again, if it can't. */
export async function startService(config: Config, options: ServiceOptions): Promise<Service> {
  // Closes in the opposite order: first what faces users, last what the rest depends on.
  const life = new AsyncDisposableStack();
  try {
    return await assemble(config, options, life);
  } catch (error) {
    await life.disposeAsync();
    throw error;
  }
}

async function assemble(config: Config, options: ServiceOptions, life: AsyncDisposableStack) {
  expectFreeing();
  const uptimeMs = stopwatch();
  const { log, inspect, spawn = workerThreads(config) } = options;
  const paths = layout(config.dataDir);
  await refuseSecondService(paths);
  const key = await publicationKey(config);
  const state = await options.openState(config, 'service');
  life.defer(() => state.close());
  // Lock after opening the state, whose errors explain best why a folder can't be written. The lock is released once
  // all counts are saved.
  life.defer(holdDataFolder(paths, log));
  if (state.store !== null) life.defer(watchStore(state.store, log));
  const { watch, observer, tracer } = await startWatching(config, log, life);
  const parts = { config, paths, state, log, observer, uptimeMs, inspect, spawn };

  const uses = keyUses();
  const feed = accountFeed(state.accounts, (news) => fronts.adopt(news));
  const tellFronts = async () => {
    feed.refresh();
    await fronts.settled();
  };

  const stopping = new AbortController();
  const intoMemory = bringIntoMemory(paths, log, stopping.signal);
  const accountDesk = createAccountDesk({ ...state, tellFronts, log });
  const shared = { ...parts, accountDesk, noteUse: uses.note, metrics: watch.memory, tracer };
  const inThreads =
    config.fronts > 1 ? new FrontThreads({ ...shared, threads: () => pool.threads() }) : undefined;
  const answering = await startAnswering(parts, inThreads, intoMemory, life);
  const { pool, publications } = answering;
  const fronts = inThreads ?? frontHere({ ...shared, ...state, pool, publications: publications.serving });
  feed.refresh();
  const { signupsInAll } = config;
  const housekeeping = createHousekeeping({ ...state, feed, uses, signupsInAll, log });
  housekeeping.start();
  // Its last round tells the fronts what changed, so there must be fronts. Before them there is nothing to save.
  life.defer(() => housekeeping.stop());
  life.defer(() => drain(fronts, log));
  const { url, follower } = await startListening(config, fronts, log, life);

  life.defer(openControl(paths, controlOf(parts, { fronts, pool, publications, tellFronts }), log));
  publications.watch();
  const member = await joinFleet({ ...parts, key, publications });
  life.defer(member.leave);
  watch.serving(operated({ state, fronts, ...answering, housekeeping, paths, follower, member }));
  readBeside(publications.serving, intoMemory, stopping, life);

  const ready = serveSample(config, options, publications, life);
  const stop = async () => {
    watch.stopping();
    await drainThenEnd(config.drainSeconds, fronts, life);
  };
  const renewCertificate = async () => follower?.look();
  return { url, publications: publications.serving, ready, admin: watch.address, renewCertificate, stop };
}

/** @returns a function that gives the milliseconds since this call */
function stopwatch(): () => number {
  const startedAt = performance.now();
  return () => performance.now() - startedAt;
}

/** Listens, with HTTPS if it is configured, and watches connections and certificate from then on. */
async function startListening(config: Config, fronts: Fronts, log: Log, life: AsyncDisposableStack) {
  const certificate = config.tls === null ? null : await readCertificate(config.tls);
  const port = await listenOrFail(config, fronts, certificate);
  const room = keepRoom({ port, log, isProxy: proxyTest(config.trustedProxies) });
  life.defer(room.stop);
  const follower = followCertificate({
    config,
    fronts,
    port,
    first: certificate,
    log,
    opened: room.listenerAdded,
  });
  life.defer(() => follower?.stop());
  fronts.onReplaced(() => {
    room.listenerAdded();
    void follower?.steerAgain();
  });
  return { url: `${certificate === null ? 'http' : 'https'}://${hostInUrl(config.host)}:${port}`, follower };
}

async function readCertificate(files: TlsFiles): Promise<Certificate> {
  try {
    return certificateOf(await readPemTexts(files), files);
  } catch (error) {
    if (error instanceof UnusableCertificate) throw new StartFailure(error.message);
    throw error;
  }
}

/** Settings and functions that most parts of the main thread need. */
interface ServiceParts {
  readonly config: Config;
  readonly paths: Layout;
  readonly state: State;
  readonly log: Log;
  readonly observer: Observer;
  readonly uptimeMs: () => number;
}

interface ControlledParts {
  readonly fronts: Fronts;
  readonly pool: QueryThreads;
  readonly publications: ServicePublications;
  readonly tellFronts: () => Promise<void>;
}

function controlOf(
  { config, state, uptimeMs }: ServiceParts,
  { fronts, pool, publications, tellFronts }: ControlledParts,
): ControlHandler {
  const threads = () => ({ fronts: fronts.count(), queries: pool.available() });
  const status = () => ({
    ...serviceStatus(publications.serving, uptimeMs()),
    threads: threads(),
    limits: shownLimits(config, state.accounts.serviceLimits()),
  });
  return controlHandler({ publications, status, accountsChanged: tellFronts });
}

/** Reads the active publication into memory while the first questions are answered, which need not wait for it. */
function readBeside(
  publications: Publications,
  intoMemory: BringIntoMemory,
  stopping: AbortController,
  life: AsyncDisposableStack,
): void {
  const active = publications.active();
  const reading = active === null ? null : intoMemory(active.manifest.id);
  life.defer(async () => {
    stopping.abort();
    await reading;
  });
}

/** Keeps accepting while balancers learn from `/readyz` to go elsewhere. */
async function drainThenEnd(seconds: number, fronts: Fronts, life: AsyncDisposableStack): Promise<void> {
  fronts.drain();
  await pause(seconds * 1_000);
  await life.disposeAsync();
}

/** All observers of the main thread's work: log, metrics, traces. */
async function startWatching(config: Config, log: Log, life: AsyncDisposableStack) {
  const watch = await watchOrFail(config);
  life.defer(() => watch.stop());
  const tracer = await loadTracer(config.traces, packageJson.version, logCollector(log));
  life.defer(() => tracer?.stop());
  const observer = joinObservers([
    logObserver(log, config.logRequests),
    watch.observer,
    ...(tracer === null ? [] : [measuring]),
  ]);
  return { watch, observer, tracer };
}

async function watchOrFail(config: Config): Promise<ServiceWatch> {
  const names = { operations, kinds: questionKinds };
  try {
    return await watchService({
      config,
      names,
      threads: ['main', ...namesOfFronts(config)],
      version: packageJson.version,
    });
  } catch (error) {
    const code = errorCode(error);
    if (code === '' || config.admin === null) throw error;
    throw new StartFailure(
      `The admin server can't listen on the address in LEI_ADMIN, ${shownAddress(config.admin)} (${code}${code === 'EADDRINUSE' ? ': another program does' : ''}). LEI_ADMIN must be a free port on an address of this machine, or the path of a socket in a folder that this user can write to.`,
    );
  }
}

function shownAddress(address: AdminAddress): string {
  return address.kind === 'socket' ? address.path : `${hostInUrl(address.host)}:${address.port}`;
}

type AnsweringParts = ServiceParts & Required<Pick<ServiceOptions, 'inspect' | 'spawn'>>;

/** Starts the query threads while a separate process inspects the publication to serve. */
async function startAnswering(
  { config, paths, log, observer, inspect, spawn }: AnsweringParts,
  fronts: FrontsInThreads | undefined,
  intoMemory: BringIntoMemory,
  life: AsyncDisposableStack,
) {
  const pool: QueryThreads = new QueryThreads({
    threads: config.workers,
    spawn,
    log: calmLog(log),
    observer,
    fronts,
    giveUp: (id) => publications.giveUp(id),
    damaged: (id, message, path) =>
      void publications.foundDamaged(id, { message, isContained: isCheckedAsRead(path) }),
    failed: (id) => void scrubbing.suspect(id),
  });
  life.defer(() => pool.end());
  const publications = new ServicePublications({
    config,
    layout: paths,
    threads: pool,
    inspect,
    bringIntoMemory: intoMemory,
    log,
    observer,
    fronts,
  });
  life.defer(() => publications.stop());
  const scrubbing = scrub({ layout: paths, publications, log });
  life.defer(scrubbing.stop);
  await Promise.all([pool.started, publications.start()]);
  return { pool, publications, scrubbing };
}

/**
 * Locks the data folder. Two services on one folder would each count the same quotas, delete files that the other reads
 * and take the control socket from it. A service that is starting or stopping answers no ping but holds its lock.
 * @returns a function that unlocks it
 */
function holdDataFolder(paths: Layout, log: Log): () => void {
  try {
    return holdLock(paths.serviceLock, 'service');
  } catch (error) {
    if (error instanceof LockHeld) throw new StartFailure(error.message);
    log.warn('The data folder cannot be locked. Make sure that no second service runs on it.', { error });
    return () => {};
  }
}

async function refuseSecondService(paths: Layout): Promise<void> {
  const reply = await controlClient(paths).send({ op: 'ping' });
  if (reply === 'not-running' || !reply.ok) return;
  throw new StartFailure(
    `Another service is running on the data folder ${paths.dataDir}. Stop it first, or choose another folder with LEI_DATA_DIR.`,
  );
}

async function listenOrFail(
  { port, host }: Config,
  fronts: Fronts,
  certificate: Certificate | null,
): Promise<number> {
  try {
    return await fronts.listen(port, host, certificate);
  } catch (error) {
    // An error without a code is a bug; the system's refusals have one.
    const code = errorCode(error);
    if (code === '') throw error;
    if (code === 'EADDRINUSE')
      throw new StartFailure(`Port ${port} on ${host} is in use. Choose another with LEI_PORT.`);
    throw new StartFailure(
      `The service can't listen on ${host}, port ${port} (${code}). LEI_HOST must be an address of this machine, or a name that resolves to one, and LEI_PORT a port that this user may open.`,
    );
  }
}

/** Lets open requests finish for {@link drainTimeoutMs}, then ends their connections. */
async function drain(fronts: Fronts, log: Log): Promise<void> {
  const finished = fronts.stop().then(() => true);
  const timer = Promise.withResolvers<false>();
  const timeout = setTimeout(() => timer.resolve(false), drainTimeoutMs);
  if (!(await Promise.race([finished, timer.promise]))) {
    log.warn('Some requests did not finish in time; their connections are closed.');
    await fronts.stop(true);
  }
  clearTimeout(timeout);
}

/** Loads the sample on a first start. */
async function serveSample(
  config: Config,
  { log, loadSample }: ServiceOptions,
  publications: ServicePublications,
  life: AsyncDisposableStack,
): Promise<void> {
  // A node that follows a source waits for the announced publication instead.
  if (publications.serving.active() !== null || !config.sample || config.publicationSource !== null) return;
  const stopping = new AbortController();
  const loaded = loadSample(publications, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted) log.error('The bundled sample could not be loaded.', { error });
  });
  life.defer(() => {
    stopping.abort();
    return loaded;
  });
  await loaded;
}
