/** What a command would print, kept for the test. */
import type { Output } from "../../../src/cli/policy/command.ts";

export interface Recording extends Output {
  /** Standard output and standard error in the order of their lines. */
  readonly text: () => string;
}

export function recording(): Recording {
  const lines: string[] = [];
  const add = (text: string) => void lines.push(text);
  return {
    print: add,
    fail: add,
    usage(text) {
      add(`usage: ${text}`);
      return 2;
    },
    text: () => lines.join("\n"),
  };
}
