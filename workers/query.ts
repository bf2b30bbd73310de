/** Entry point of a query thread. */
import { expectFreeing } from '../src/protocol/json-bytes.ts';
import { layout } from '../src/publication/layout.ts';
import { attend } from '../src/query/attend.ts';
import { openPublication } from '../src/store/open-publication.ts';

declare const self: Worker;

expectFreeing();
const [dataDir = '', basePath = ''] = process.argv.slice(2);
const paths = layout(dataDir);
attend(self, (id) => openPublication(paths, id, basePath));
