/** A real query thread over publications in memory, with LEIs that make it end. */
import type { AnswerNews, ThreadCommand, ThreadReport } from '../../../src/protocol/thread-messages.ts';
import { attend } from '../../../src/query/attend.ts';
import { memoryPublication } from '../../support/memory-publication.ts';
import { deadlyLeis, largeLei, plainLeis } from './query-worker-leis.ts';

declare const self: Worker;

const companies = plainLeis.map((lei) => ({ lei, name: `Company ${lei}` }));
const receive = attend(
  async (id) => {
    if (id.endsWith('bad')) throw new Error('The environment is damaged.');
    if (id.endsWith('deadly') && process.argv[2] === 'first') process.exit(4);
    const publication = memoryPublication({ id, companies });
    const { find } = publication;
    return {
      ...publication,
      company: (entity) => {
        const company = publication.company(entity);
        if (company === null || !Buffer.from(company.json).includes(largeLei)) return company;
        return {
          ...company,
          json: Buffer.from(JSON.stringify({ lei: largeLei, filling: 'ä'.repeat(200_000) })),
        };
      },
      find(lei) {
        if (lei === deadlyLeis.exits) process.exit(3);
        if (lei === deadlyLeis.hangs) for (;;);
        if (lei === deadlyLeis.throws) throw new Error('a bug');
        return find(lei);
      },
    };
  },
  {
    post: (message: ThreadReport | AnswerNews, transfer = []) => self.postMessage(message, transfer),
    end: () => process.exit(0),
  },
);
self.onmessage = (event: MessageEvent<ThreadCommand>) => receive(event.data);
self.postMessage({ report: 'ready' } satisfies ThreadReport);
