/** The front's end of a line to one query thread, however the thread's messages arrive. */
import { freeMemory } from '../protocol/free-memory.ts';
import { readAnswer, type TakeAnswer } from './answer-record.ts';
import type { Outlet } from './inbox.ts';
import { AskingEnd, type LineMemory } from './line.ts';
import type { AnswerNews, LineCommand } from './messages.ts';

export interface LineOutlet extends Outlet {
  /** Receives what the thread has posted about its answers. */
  receive(news: AnswerNews): void;
  /** Takes every available answer, including those that a thread gave before it ended. */
  takeAnswers(): void;
  /** Tells the thread that a command was posted beside this line. */
  commandPosted(): void;
}

/** @param take receives each answer, which is valid only during the call */
export function lineOutlet(
  memory: LineMemory,
  post: (command: LineCommand) => void,
  take: TakeAnswer,
): LineOutlet {
  const line = new AskingEnd(memory);
  const send = (command: LineCommand) => {
    post(command);
    line.commandPosted();
  };
  return {
    get busy() {
      return line.busy;
    },
    ask(batch) {
      if (!line.ask(batch)) send({ op: 'ask', batch });
    },
    compress: (batch, question) => send({ op: 'compress', batch, question }),
    receive(news) {
      if (news.report === 'answers') line.takeAnswers(take);
      else takePosted(news.record, take);
    },
    takeAnswers: () => line.takeAnswers(take),
    commandPosted: () => line.commandPosted(),
  };
}

/** Takes an answer that had no room in the ring, and frees it at once. */
function takePosted({ buffer }: Uint8Array<ArrayBuffer>, take: TakeAnswer): void {
  const record = Buffer.from(buffer);
  readAnswer(record, 0, take);
  freeMemory(record);
}
