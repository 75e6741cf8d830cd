/**
 * The log: one JSON object a line, each with a stable `event` to search for. A line holds names, numbers and codes, never
 * the words of a client, a model or an upstream. The only exception is an upstream's reason to refuse a plan
 * (`planning_model_failed`), cut and without keys.
 */

export type LogLevel = "debug" | "info" | "warn" | "error";

export const logLevels: readonly (LogLevel | "off")[] = ["debug", "info", "warn", "error", "off"];

const rank = (level: LogLevel | "off"): number => logLevels.indexOf(level);

/** One per isolate, as its bindings. */
let threshold = rank("info");

/** Lines below this level are not written. */
export function setLogLevel(level: LogLevel | "off"): void {
  threshold = rank(level);
}

/** Whether lines of this level are written: a caller need not prepare a line that is not. */
export const logs = (level: LogLevel): boolean => rank(level) >= threshold;

/** @param event in snake_case and stable: operators search for it. */
export function log(level: LogLevel, event: string, fields: object = {}): void {
  if (!logs(level)) return;
  // The runtime shows and filters lines by the method that wrote them.
  const write = level === "info" ? console.log : console[level];
  write(JSON.stringify({ time: new Date().toISOString(), level, event, ...fields }));
}

const MAX_MESSAGE = 300;
const MAX_FRAMES = 8;

/** Messages of these errors cite unreadable input: a client's words, a model's arguments. */
const CITES = /^(SyntaxError|ZodError|AI_\w+|URIError)$/;

interface ErrorFields {
  /** The error's class. */
  readonly error: string;
  readonly message?: string;
  readonly at?: readonly string[];
}

export function describeError(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return { error: typeof error };
  // The first lines of a stack repeat the message.
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    error: error.name,
    ...(CITES.test(error.name) ? {} : { message: error.message.slice(0, MAX_MESSAGE) }),
    at: frames.slice(0, MAX_FRAMES).map((line) => line.trim().slice(3)),
  };
}
