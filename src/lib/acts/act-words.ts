/** The table of `spoken-acts.ts` as objects: the words that people say for an act, and what each word is used for. Pure. */
import { once } from "../once.ts";
import { readTable } from "./read-table.ts";
import { SPOKEN_ACTS } from "./spoken-acts.ts";
import type { CallEffect } from "./verbs-in-names.ts";

/** The act that a question about a call is about. */
export type SpokenAct =
  | "cancel"
  | "delete"
  | "send"
  | "pay"
  | "refund"
  | "book"
  | "move"
  | "update"
  | "create"
  | "run"
  | "stop"
  | "copy"
  | "reject"
  | "undo"
  | "publish";

export interface ActWords {
  readonly act: SpokenAct | undefined;
  /** The name of its orders. */
  readonly group: string | undefined;
  readonly effects: readonly CallEffect[];
  /** They are found anywhere in a text: their scripts have no blanks between words. */
  readonly isUnspaced: boolean;
  /** Beginnings of the words of questions and answers. */
  readonly stems: readonly string[];
  /** Words of messages, with `=` and `~`. */
  readonly inMessages: readonly string[];
  readonly orders: readonly string[];
}

/** One for each line of the table. */
export const spokenActs = once((): readonly ActWords[] =>
  readTable(SPOKEN_ACTS).flatMap(({ head, lines }) => {
    const [, act, group, effects = "-"] = /^(\S+)(?: \[(\w+)\])? (\S+)$/.exec(head) ?? [];
    return lines.map(({ language, words: all }) => {
      const end = all.indexOf("!");
      const words = end < 0 ? all : all.slice(0, end);
      return {
        act: act === "-" ? undefined : (act as SpokenAct),
        group,
        effects: effects === "-" ? [] : (effects.split("+") as CallEffect[]),
        isUnspaced: language === "unspaced",
        stems: words.filter((word) => !word.startsWith(">")).map((word) => word.replace(/^[<=~]|\(\?.*\)/g, "")),
        inMessages: words.filter((word) => !word.startsWith("<")).map((word) => word.replace(/^>/, "")),
        orders: end < 0 ? [] : all.slice(end + 1),
      };
    });
  }),
);
