/**
 * A later step's words in a stream: a paragraph of their own after those that the client has already. The model wrote them
 * after a call that the client does not see: without a blank line "I look." and "# Found" become one line. Changes the turn.
 */

import type { Reply } from "../../ports/reply-port.ts";
import type { ReplyWords } from "../../wire/reply-words.ts";
import type { Turn } from "../turn.ts";
import { recordWords } from "../turn-log.ts";

/** An event that has words: in a string of its own the quotes would be escaped. */
const WORDS = /"content":\s*"(?!")/;

/** Where the step's words go. They are spaced when they come: a step may have none. */
export function spacedWords(turn: Turn, reply: Reply): ReplyWords {
  const { stream, jsonMode } = turn.input.request;
  const gap = stream && !jsonMode ? gapAfter(turn.log.notice === "" ? turn.log.text : turn.log.notice) : "";
  if (gap === "") return reply.words;
  const { words } = reply;
  let due = true;
  return {
    write(events) {
      if (due && WORDS.test(events)) {
        due = false;
        recordWords(turn.log, { text: turn.log.text + gap });
        reply.say(gap);
      }
      words.write(events);
    },
    get full() {
      return words.full;
    },
    ready: () => words.ready(),
    prepare: () => words.prepare?.(),
    get started() {
      return words.started;
    },
  };
}

function gapAfter(text: string): string {
  if (text === "" || /\n[^\S\n]*\n\s*$/.test(text)) return "";
  return text.endsWith("\n") ? "\n" : "\n\n";
}
