/**
 * Lucene with a set-up for company names (lucene/Names.java), in a Java process of its own. Needs a JDK and Debian's
 * liblucene8-java. Its times contain the way through two pipes.
 */
import { closeSync, mkdirSync, openSync, readdirSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { LinkedCompany } from '../../support/index-companies.ts';
import type { Contender } from './contenders.ts';

const jarsFolder = '/usr/share/java';
const source = join(import.meta.dir, 'lucene/Names.java');

/** The jars that it needs; null without Java or Lucene. */
function classPath(): string | null {
  if (Bun.which('java') === null || Bun.which('javac') === null) return null;
  const jars = ['core', 'analyzers-common'].map((part) =>
    readdirSync(jarsFolder).find((name) => new RegExp(`^lucene-${part}-8[.\\d]*\\.jar$`).test(name)),
  );
  return jars.includes(undefined) ? null : jars.map((jar) => join(jarsFolder, jar ?? '')).join(':');
}

/** Runs a command. @throws with what it printed */
function mustRun(command: readonly string[]): void {
  const { success, stderr } = Bun.spawnSync([...command]);
  if (!success) throw new Error(stderr.toString());
}

/** @returns null if Java or Lucene is not installed */
export function luceneIndex(folder: string): Contender | null {
  const jars = classPath();
  if (jars === null) return null;
  mkdirSync(folder, { recursive: true });
  const [questions, answers] = [join(folder, 'questions'), join(folder, 'answers')];
  mustRun(['javac', '-cp', jars, '-d', folder, source]);
  mustRun(['mkfifo', questions, answers]);
  const command = [
    'java',
    '-Xmx3g',
    '-cp',
    `${jars}:${folder}`,
    'Names',
    join(folder, 'index'),
    questions,
    answers,
  ];
  const java = Bun.spawn(command, { stderr: 'inherit' });
  const asking = openSync(questions, 'r+');
  const answering = openSync(answers, 'r+');
  const buffer = Buffer.alloc(65_536);
  const line = () => {
    let text = '';
    while (!text.endsWith('\n')) text += buffer.toString('utf8', 0, readSync(answering, buffer));
    return text.trimEnd();
  };
  const send = (text: string) => {
    const bytes = Buffer.from(text);
    for (let sent = 0; sent < bytes.length; ) sent += writeSync(asking, bytes, sent);
  };
  const companies: LinkedCompany[] = [];
  return {
    name: 'Lucene',
    add: (company) => companies.push(company),
    finish: async () => {
      // Equal scores are in order of their documents: by LEI, as the service has them.
      for (const { entity, names } of companies.sort((a, b) => (a.lei < b.lei ? -1 : 1))) {
        for (const { name } of names) send(`${entity}\t${name.replace(/\s+/g, ' ')}\n`);
      }
      companies.length = 0;
      send('\n');
      return Number(line());
    },
    answer: (q) => {
      send(`${q.replace(/\s+/g, ' ')}\n`);
      const text = line();
      return text === '' ? [] : text.split(' ').map(Number);
    },
    close: async () => {
      java.kill();
      await java.exited;
      closeSync(asking);
      closeSync(answering);
    },
  };
}
