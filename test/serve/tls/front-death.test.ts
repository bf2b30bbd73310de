/** Tests a front that ends after its certificate was renewed: its replacement shows the new certificate only. */
import { test } from 'bun:test';
import { controlClient } from '../../../src/protocol/control-client.ts';
import { layout } from '../../../src/publication/layout.ts';
import { CertificateFiles, makeAuthority, makeCertificate, shownName } from '../../support/certificates.ts';
import { isInstalled } from '../../support/programs.ts';
import { startTestService } from '../../support/service.ts';
import { watchWorkers, workersOf } from '../../support/started-workers.ts';
import { until } from '../../support/steady-load.ts';

const fronts = 2;

test.skipIf(!isInstalled('openssl'))(
  'new connections see the renewed certificate even after fronts have ended and been replaced',
  async () => {
    const authority = await makeAuthority();
    const files = new CertificateFiles(await makeCertificate(authority, 'one'));
    watchWorkers();
    const service = await startTestService({
      environment: { ...files.settings, LEI_FRONTS: String(fronts) },
    });
    // A front that ends also closes the connections that it has not accepted yet.
    const shown = () => shownName(service.port, authority).catch(() => 'none');
    const showsOnly = async (name: string, asked = 24) =>
      (await Promise.all(Array.from({ length: asked }, shown))).every((each) => each === name);
    const allAnswer = async () => {
      const reply = await controlClient(layout(service.dataDir)).send({ op: 'status' });
      return Object(Object(reply).value).threads?.fronts === fronts;
    };

    files.replaceBy(await makeCertificate(authority, 'two'));
    await until(() => showsOnly('two'));
    for (let end = 0; end <= fronts; end++) {
      const ended = workersOf('front.ts')[0];
      ended?.terminate();
      await until(async () => !workersOf('front.ts').some((each) => each === ended) && (await allAnswer()));
      // So many that chance cannot always pick a listener with the new certificate.
      await until(async () => (await showsOnly('two')) && (await showsOnly('two', 48)));
    }
    await service.stop();
  },
);
