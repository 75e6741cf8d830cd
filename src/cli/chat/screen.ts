/** The chat's output. Without a window, a box is written as lines without borders. */
import { box, type Section } from "./box.ts";
import { hasColours, type Style, styleOf } from "./style.ts";
import { type WordsWriter, wordsWriter } from "./words-writer.ts";

export interface Screen {
  readonly style: Style;
  /** A person looks at a window; otherwise a program reads lines. */
  readonly isWindow: boolean;
  line(text: string): void;
  /** Writes beside the conversation, so that a program that reads it does not take this for the model's words. */
  aside(text: string): void;
  box(sections: readonly Section[], border?: Parameters<typeof box>[2]): void;
  words(): WordsWriter;
}

export function openScreen(isWindow: boolean): Screen {
  const { stdout, stderr, env } = process;
  const colours = hasColours(stdout.isTTY === true, env);
  const style = (): Style => styleOf(stdout.columns, colours, env);
  const line = (text: string) => void stdout.write(`${text}\n`);
  return {
    // A window may have been resized since.
    get style() {
      return style();
    },
    isWindow,
    line,
    aside: isWindow ? line : (text) => void stderr.write(`${text}\n`),
    box(sections, border) {
      if (isWindow) for (const row of box(sections, style(), border)) line(row);
      else for (const row of sections.flat()) line(row);
    },
    words: () =>
      wordsWriter(
        (text) => void stdout.write(text),
        isWindow ? { columns: style().width, indent: "  " } : { indent: "" },
      ),
  };
}
