/**
 * Shows links of the model's words as plain text, unless they lead to a host that a trusted source has named. A pure state machine
 * over text that comes in pieces: the cuts between the pieces do not change the result.
 *
 * Only text that may be part of a link is held back. All other text goes out with the piece in which it came.
 */
import { codeLines } from "./code-lines.ts";
import {
  type LinkReading,
  MAX_UNIT,
  readDefinition,
  readDestination,
  readEntity,
  readHostOnly,
  readMail,
  readTag,
  readUrl,
  readWww,
  type UnitContext,
  WAIT,
} from "./link-units.ts";
import type { NamedHosts } from "./named-hosts.ts";

export interface LinkRules {
  readonly named: NamedHosts;
  /** The addresses are left out. */
  readonly removes: boolean;
  /** A link to a host that is not named was changed. */
  readonly onChanged?: ((host: string) => void) | undefined;
}

export interface LinkFilter {
  /** @returns the text that may go out; the same string if nothing is held or changed. */
  push(text: string): string;
  /** The text that was held back. More text may be pushed after it: nothing is held then. */
  end(): string;
  /** Nothing counts as code from here on: it is not known whether a fence is open. */
  distrustCode(): void;
}

/** Enough to know a scheme, or `www`. */
const BEHIND = 8;
/** Enough of a line to know whether it opens a fence. */
const MAX_LINE = 1024;
const LF = 10;
const CR = 13;
const BACKTICK = 96;

export function linkFilter({ named, removes, onChanged }: LinkRules): LinkFilter {
  const code = codeLines();
  let buffer = "";
  /** The unit that was read last, and the part of the line that was read. */
  let behind = "";
  let line = "";
  let isLineCut = false;
  /** Size of the backticks that may have opened a code span; 0 outside of one. */
  let span = 0;
  /** Backticks that were read last. */
  let ticks = 0;
  /** An address that passed was read last. */
  let endsInAddress = false;
  /** No blank has come since an address: some renderers take a backtick for a part of it. */
  let isInAddress = false;

  const endTicks = (): void => {
    if (ticks === 0) return;
    const size = ticks;
    ticks = 0;
    if (span === size) span = 0;
    else if (span === 0) {
      span = size;
      // Renderers differ in how many backticks a backslash takes from a run.
      if (behind.endsWith(`\\${"`".repeat(size)}`) || size >= BEHIND || isInAddress) code.markUnclear("inline");
    }
  };

  /** Text that passes, or that is replaced. */
  const consume = (text: string): void => {
    if (text !== "") endsInAddress = false;
    if (isInAddress && /[ \t\r\n<]/.test(text)) isInAddress = false;
    behind = (behind + text).slice(-BEHIND);
    isLineCut ||= line.length + text.length > MAX_LINE;
    if (line.length < MAX_LINE) line += text;
  };

  const endLine = (): void => {
    endTicks();
    const isOpen = span !== 0;
    span = 0;
    code.endLine(line, isLineCut);
    // A span may go on in the next line, unless a fence begins there.
    if (isOpen && !code.inFence("")) code.markUnclear("inline");
    line = "";
    isLineCut = false;
  };

  /** The end of the code span that holds the text from `at` on; 0 if there is none, undefined if that is not known yet. */
  const endOfSpan = (at: number, final: boolean): number | undefined => {
    const window = buffer.slice(at, at + MAX_UNIT);
    for (const { 0: found, index } of window.matchAll(/`+|[|\r\n]/g)) {
      if (found === "|" || found === "\n" || found === "\r") return 0;
      const end = index + found.length;
      if (end === window.length && window.length < MAX_UNIT && !final) return undefined;
      if (found.length === span) return at + end;
    }
    return window.length < MAX_UNIT && !final ? undefined : 0;
  };

  const readAt = (at: number, char: string, final: boolean): LinkReading | undefined => {
    const read = readerOf(char, behind);
    if (!read) return undefined;
    const text = buffer.slice(at, at + MAX_UNIT);
    return read({ text, open: !final && text.length < MAX_UNIT, named, removes });
  };

  const scan = (final: boolean): string => {
    let out = "";
    let at = 0;
    /** The text consumed up to here, and the text that went out. */
    let from = 0;
    const flush = (end: number): void => {
      const text = from === 0 && end === buffer.length ? buffer : buffer.slice(from, end);
      consume(text);
      out += text;
      from = end;
    };
    while (at < buffer.length) {
      const unit = buffer.charCodeAt(at);
      if (unit === BACKTICK) {
        ticks += 1;
        at += 1;
        continue;
      }
      if (ticks > 0) {
        flush(at);
        if (code.inFence(line)) ticks = 0;
        else endTicks();
      }
      if (unit === LF || unit === CR) {
        flush(at);
        // The line of a CRLF ends once.
        if (!(unit === LF && behind.endsWith("\r"))) {
          if (code.inFence(line)) ticks = 0;
          endLine();
        }
        out += buffer.charAt(at);
        behind = (behind + buffer.charAt(at)).slice(-BEHIND);
        at += 1;
        from = at;
        continue;
      }
      if (!TRIGGERS.has(unit)) {
        at += 1;
        continue;
      }
      const char = buffer.charAt(at);
      flush(at);
      const read = code.inFence(line + char) ? undefined : readAt(at, char, final);
      if (read === undefined) {
        at += 1;
        continue;
      }
      if (read === WAIT) break;
      if (read.instead === undefined) {
        at += read.take;
        flush(at);
        endsInAddress = read.isAddress === true;
        isInAddress ||= endsInAddress;
        if (read.unclear && span === 0) code.markUnclear(read.unclear);
        continue;
      }
      const codeEnd = code.isIndentedCode(line) ? at + 1 : span > 0 && !code.isUnclear ? endOfSpan(at, final) : 0;
      if (codeEnd === undefined) break;
      if (codeEnd > 0) {
        if (!code.isIndentedCode(line)) span = 0;
        at = codeEnd;
        flush(at);
        continue;
      }
      if (span > 0) {
        span = 0;
        code.markUnclear("inline");
      }
      if (read.host !== undefined) onChanged?.(read.host);
      // `&lt;` would go on with an address that `<` ends.
      out += endsInAddress && char === "<" ? ` ${read.instead}` : read.instead;
      consume(buffer.slice(at, at + read.take));
      at += read.take;
      from = at;
    }
    flush(at);
    buffer = buffer.slice(at);
    return out;
  };

  return {
    push(text) {
      if (text === "") return "";
      buffer = buffer === "" ? text : buffer + text;
      return scan(false);
    },
    end() {
      const rest = scan(true);
      buffer = "";
      return rest;
    },
    distrustCode: () => code.distrust(),
  };
}

const TRIGGERS: ReadonlySet<number> = new Set([..."(:./@<&"].map((char) => char.charCodeAt(0)));

/** @param before the text before the character. */
function readerOf(char: string, before: string): ((context: UnitContext) => LinkReading) | undefined {
  switch (char) {
    case "(":
      return before.endsWith("]") ? readDestination : undefined;
    case ":": {
      if (before.endsWith("]")) return readDefinition;
      const scheme = /(https?|ftp)\\?$/i.exec(before)?.[1];
      return scheme === undefined ? undefined : (context) => readUrl(context, scheme);
    }
    case ".":
      return /www\\?$/i.test(before) ? readWww : undefined;
    case "/":
      return /(?:^|[^:/])\/$/.test(before) ? readHostOnly : undefined;
    case "@":
      return /[\p{L}\p{N}._+\\-]$/u.test(before) ? readMail : undefined;
    case "<":
      return readTag;
    default:
      return readEntity;
  }
}
