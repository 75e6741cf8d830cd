/**
 * What a user has pasted into a message and marked as such: fenced code, and quoted lines as mail has them. Those are somebody
 * else's words: a log, a listing or a letter must not select by what it holds. A message that is nothing else is read. Pure.
 */
import { hasLetterOrDigit } from "../../lib/text/characters.ts";

const fence = "```";
const quotedLine = /^[ \t]{0,3}>.*$/gm;

export interface OwnWords {
  /** The message with blanks for what is pasted, so that places stay true. */
  readonly blanked: string;
  /** Without it. */
  readonly said: string;
}

export function ownWords(message: string): OwnWords {
  const blanked = withoutPasted(message);
  if (blanked === message || !hasLetterOrDigit(blanked)) return { blanked: message, said: message };
  return { blanked, said: blanked.replace(/[ \t]{3,}/g, "\n").trim() };
}

/** With blanks for what is pasted, also where nothing else is left. */
export function withoutPasted(message: string): string {
  if (!message.includes(fence) && !/^[ \t]{0,3}>/m.test(message)) return message;
  return blankFences(message).replace(quotedLine, blank);
}

function blankFences(message: string): string {
  let out = "";
  let from = 0;
  for (let at = message.indexOf(fence); at >= 0; at = message.indexOf(fence, from)) {
    const close = message.indexOf(fence, at + fence.length);
    // One that nothing closes reaches to the end, if it begins a line; else it is only spoken of.
    if (close < 0 && !/(?:^|\n)[ \t]*$/.test(message.slice(Math.max(0, at - 8), at))) break;
    const end = close < 0 ? message.length : close + fence.length;
    out += message.slice(from, at) + blank(message.slice(at, end));
    from = end;
  }
  return out + message.slice(from);
}

/** As long as the text, and as a line of its own: what stands before it is no sentence with what stands behind. */
const blank = ({ length }: string): string => (length < 2 ? "\n".repeat(length) : `\n${" ".repeat(length - 2)}\n`);
