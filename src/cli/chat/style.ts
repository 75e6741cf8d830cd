/** How text looks on a terminal: its width, its borders, and its colours, if it has any. */
import { styleText } from "node:util";

export type Paint = "dim" | "bold" | "red" | "green" | "yellow" | "cyan";

export interface Style {
  /** Columns. */
  readonly width: number;
  /** Whether borders are drawn as lines; otherwise they are written in ASCII. */
  readonly unicode: boolean;
  paint(colour: Paint, text: string): string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Boxes are readable down to this; a narrower window breaks their lines. */
const [NARROWEST, WIDEST] = [20, 88];

export function styleOf(columns: number | undefined, colours: boolean, environment: Environment): Style {
  return {
    // One column stays free: a terminal whose line is full wraps it.
    width: Math.min(WIDEST, Math.max(NARROWEST, (columns || 80) - 1)),
    unicode: hasUnicode(environment),
    paint: colours ? (colour, text) => styleText(colour, text, { validateStream: false }) : (_, text) => text,
  };
}

/** As https://no-color.org says; `FORCE_COLOR` counts more than the stream's kind. */
export function hasColours(isTerminal: boolean, { NO_COLOR, FORCE_COLOR, TERM }: Environment): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0";
  return isTerminal && TERM !== "dumb";
}

/** Read from the locale. Over SSH it is often missing, and then most terminals have Unicode. */
function hasUnicode({ LC_ALL, LC_CTYPE, LANG, TERM }: Environment): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG;
  if (TERM === "linux") return false;
  return locale === undefined || locale === "" || /utf-?8/i.test(locale);
}
