/** A turn's reply in one piece. */
import type { JsonObject } from "../../lib/json/json-value.ts";
import type { Reply } from "../../ports/reply-port.ts";
import type { Ending, ToolgateNote } from "../../ports/turns/ending.ts";
import { newEnvelope } from "../../wire/envelope.ts";
import { NO_WORDS } from "../../wire/reply-sink.ts";

export interface EndedTurn {
  readonly ending: Ending;
  readonly note: ToolgateNote;
  /** The gateway's own words before the answer. */
  readonly preface: string;
  /** The sum, if the model was called several times or not at all. */
  readonly usage: JsonObject | undefined;
}

export interface WholeReply extends Reply {
  readonly ended: Promise<EndedTurn>;
}

export function wholeReply(model: string, signal: AbortSignal | undefined): WholeReply {
  const { promise, resolve } = Promise.withResolvers<EndedTurn>();
  let preface = "";
  return {
    ended: promise,
    envelope: newEnvelope(model),
    words: NO_WORDS,
    opened() {},
    head() {},
    hold() {},
    say(words) {
      preface += words;
    },
    stepEnded() {},
    async finish(ending, note, usage) {
      resolve({ ending, note, preface, usage });
      return signal?.aborted !== true;
    },
  };
}

/** Words of the gateway and of the model as one text. */
export const inParagraphs = (texts: readonly string[]): string =>
  texts.filter((text) => text.trim() !== "").join("\n\n");
