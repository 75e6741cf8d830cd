/**
 * Writes the model's words as they come, on wrapped and indented lines.
 *
 * Attack: words that look like a question of the gateway, or that move the cursor over one. So control characters are replaced by a
 * sign, and no line of the model begins in the first column, where boxes begin.
 */
import stringWidth from "fast-string-width";
import { visible } from "../../lib/text/visible-text.ts";

export interface WordsWriter {
  write(words: string): void;
  /** Writes what is held back, and ends the line. */
  end(): void;
}

interface WordsSettings {
  /** The window's width; absent: lines are not wrapped. */
  readonly columns?: number;
  readonly indent: string;
}

const WIDE = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef`;
/** One unit of output: a line break, blanks, one sign of a script without blanks, or a word. */
const tokens = new RegExp(String.raw`\n|[^\S\n]+|[${WIDE}]|[^\s${WIDE}]+`, "gu");
/** A word is held until it has ended, but no longer than this. */
const LONGEST_HELD = 120;

export function wordsWriter(
  out: (text: string) => void,
  { columns = Number.POSITIVE_INFINITY, indent }: WordsSettings,
): WordsWriter {
  const room = columns - indent.length;
  let held = "";
  let column = 0;
  let atStart = true;

  function put(token: string): void {
    if (token === "\n") {
      out("\n");
      column = 0;
      atStart = true;
      return;
    }
    const text = token.replaceAll("\t", "    ");
    const width = stringWidth(text);
    // Blanks at the end of a line are not carried over.
    if (column + width > room && column > 0) {
      put("\n");
      if (/^\s+$/.test(text)) return;
    }
    if (width > room) for (const part of pieces(text, room)) place(part);
    else place(text, width);
  }

  function place(text: string, width = stringWidth(text)): void {
    if (column + width > room && column > 0) put("\n");
    out(atStart ? indent + text : text);
    atStart = false;
    column += width;
  }

  return {
    write(words) {
      held += words;
      const ends = /\S+$/u.exec(held);
      const until = ends && held.length - ends.index <= LONGEST_HELD && !endsWide(held) ? ends.index : held.length;
      // Half a character, or what may yet become a line break of two.
      const safe = /[\ud800-\udbff\r]$/.test(held.slice(0, until)) ? until - 1 : until;
      for (const [token] of shown(held.slice(0, safe)).matchAll(tokens)) put(token);
      held = held.slice(safe);
    },
    end() {
      for (const [token] of shown(held.toWellFormed()).matchAll(tokens)) put(token);
      held = "";
      if (!atStart) out("\n");
      column = 0;
      atStart = true;
    },
  };
}

/** A return alone would go back to the first column. */
const shown = (text: string): string => visible(text.replaceAll("\r\n", "\n").replaceAll("\r", "\ufffd"));

const wideEnd = new RegExp(`[${WIDE}]$`, "u");
const endsWide = (text: string): boolean => wideEnd.test(text);

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A word that is longer than a line, in parts that fit. */
function pieces(word: string, room: number): readonly string[] {
  const out: string[] = [];
  let part = "";
  for (const { segment } of graphemes.segment(word)) {
    if (part !== "" && stringWidth(part + segment) > room) {
      out.push(part);
      part = "";
    }
    part += segment;
  }
  return part === "" ? out : [...out, part];
}
