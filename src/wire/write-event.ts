/** Writes server-sent events. Pure. */

/** JSON for an event's data line, safe for readers that break lines at more characters than JSON does. */
export function eventJson(value: unknown): string {
  const text = JSON.stringify(value);
  return LINE_SEPARATORS.test(text)
    ? text.replace(/[\u0085\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
    : text;
}

/** JSON allows them in strings, but some clients take them for an end of line. */
export const LINE_SEPARATORS = /[\u0085\u2028\u2029]/;

export const dataEvent = (data: unknown): string => `data: ${eventJson(data)}\n\n`;

/** @param id the last one that a client names when it comes back; absent: it asks for this event again. */
export const serverEvent = (event: string, data: unknown, id?: number): string =>
  `event: ${event}\n${id === undefined ? "" : eventIdLine(id)}${dataEvent(data)}`;

const eventIdLine = (id: number): string => `id: ${id}\n`;

/** Moves on the id that a client comes back with, without an event. */
export const eventId = (id: number): string => `${eventIdLine(id)}\n`;

/** How long a client waits before it comes back. */
export const retryAfter = (ms: number): string => `retry: ${ms}\n\n`;

/** The orderly end of a stream. */
export const DONE = "data: [DONE]\n\n";

/** Proxies close a connection on which nothing comes for a minute or so. */
export const KEEP_ALIVE = ": keep-alive\n\n";
