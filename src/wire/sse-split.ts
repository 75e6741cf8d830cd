/**
 * Splits a server-sent event stream into events, as the HTML standard reads it: lines end with LF, CRLF or a lone CR,
 * several `data` lines are one value, comments and other fields are no data. Works on decoded text. No I/O.
 */

export interface SseEvent {
  /** The event's bytes as text, its blank line included. */
  readonly raw: string;
  /** The joined `data` lines; undefined if there are none (comments, heartbeats). */
  readonly data: string | undefined;
  /** Whether `raw` is one `data` line and nothing else, so that every reader finds the same data in it. */
  readonly plain: boolean;
}

interface SseSplitter {
  /** Takes decoded text, gives the events that are complete with it. */
  push(text: string): SseEvent[];
  /** The rest of the stream: an event without its blank line, or undefined. */
  end(): SseEvent | undefined;
  /** UTF-16 units of the event that is not complete yet. */
  pending(): number;
}

const LF = 0x0a;
const CR = 0x0d;

export function splitSse(): SseSplitter {
  /** Begins at an event's first line. */
  let buffer = "";
  /** The index at which the search goes on: no unit is looked at twice. */
  let at = 0;
  let lineStart = 0;
  let returns = false;

  /** The usual stream has only LF: one native search per event. */
  const cutAtLineFeeds = (events: SseEvent[]): number => {
    let start = 0;
    for (let end = buffer.indexOf("\n\n", at); end !== -1; end = buffer.indexOf("\n\n", start)) {
      events.push(readEvent(buffer.slice(start, end + 2)));
      start = end + 2;
    }
    at = Math.max(start, buffer.length - 1);
    return start;
  };

  const cutAtAnyLineEnd = (events: SseEvent[]): number => {
    let start = 0;
    while (at < buffer.length) {
      const char = buffer.charCodeAt(at);
      if (char !== LF && char !== CR) {
        at += 1;
        continue;
      }
      // A CR at the very end may be half of a CRLF: wait for the next bytes.
      if (char === CR && at + 1 === buffer.length) break;
      const next = char === CR && buffer.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
      if (at === lineStart) {
        events.push(readEvent(buffer.slice(start, next)));
        start = next;
      }
      at = next;
      lineStart = next;
    }
    return start;
  };

  return {
    push(text) {
      buffer += text;
      if (!returns && text.includes("\r")) {
        returns = true;
        at = 0;
      }
      const events: SseEvent[] = [];
      const start = returns ? cutAtAnyLineEnd(events) : cutAtLineFeeds(events);
      if (start > 0) {
        buffer = buffer.slice(start);
        at -= start;
        lineStart = Math.max(0, lineStart - start);
      }
      return events;
    },
    end() {
      const rest = buffer;
      buffer = "";
      return rest.trim() === "" ? undefined : readEvent(rest);
    },
    pending: () => buffer.length,
  };
}

function readEvent(raw: string): SseEvent {
  if (raw.startsWith("data: ") && raw.endsWith("\n\n") && raw.indexOf("\n") === raw.length - 2 && !raw.includes("\r")) {
    return { raw, data: raw.slice(6, -2), plain: true };
  }
  const lines = raw.split(/\r\n|\n|\r/).filter((line) => line !== "");
  const values = lines.flatMap((line) => {
    if (line !== "data" && !line.startsWith("data:")) return [];
    const value = line.slice(5);
    return [value.startsWith(" ") ? value.slice(1) : value];
  });
  const data = values.length > 0 ? values.join("\n") : undefined;
  const plain = lines.length === 1 && /^data: ?[^\r\n]*(\n\n|\r\n\r\n)$/.test(raw);
  return { raw, data, plain };
}
