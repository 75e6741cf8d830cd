/** Guesses by names what a value is: an amount, a letter, a command, an address. Display only: no decision depends on it. Pure. */
import { actKind } from "../../parts/act-kind.ts";

export type ValueKind = "money" | "letter" | "command" | "address" | "plain";

const AMOUNT = /^(amount|total|price|sum|cost|fee|value)$/i;
const LETTER = /^(body|text|message|content)$/i;
const COMMAND = /^(command|cmd|script|code)$/i;

export function valueKind(tool: string, name: string, text: string): ValueKind {
  const act = actKind(tool);
  if (act === "money" && AMOUNT.test(name) && /^[\d.,]+$/.test(text)) return "money";
  if (act === "mail" && LETTER.test(name)) return "letter";
  if (act === "shell" && COMMAND.test(name)) return "command";
  return hostIn(text) === undefined ? "plain" : "address";
}

/** Start and end of the host in the address of a page or of a mailbox. */
export function hostIn(text: string): readonly [from: number, to: number] | undefined {
  const mailbox = /^[^\s@/:]+@([\w.-]+\.\w+)$/.exec(text);
  if (mailbox?.[1] !== undefined) return [text.length - mailbox[1].length, text.length];
  const scheme = /^https?:\/\//i.exec(text)?.[0];
  if (scheme === undefined || /\s/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  // Searched behind the name and password, which can look like a host.
  const from = text.indexOf(
    url.host,
    scheme.length + (url.username === "" ? 0 : text.indexOf("@") + 1 - scheme.length),
  );
  return from < 0 ? undefined : [from, from + url.host.length];
}
