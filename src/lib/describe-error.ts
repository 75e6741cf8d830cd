/** What the log may say of an error. Pure. */

const MAX_MESSAGE = 300;
const MAX_FRAMES = 8;

/** Their messages cite what could not be read: a client's words, a model's arguments. */
const CITES = /^(SyntaxError|ZodError|AI_\w+|URIError)$/;

export interface ErrorFields {
  /** The error's class. */
  readonly error: string;
  readonly message?: string;
  readonly at?: readonly string[];
}

export function describeError(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return { error: typeof error };
  // The first lines of a stack are the message again.
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    error: error.name,
    ...(CITES.test(error.name) ? {} : { message: error.message.slice(0, MAX_MESSAGE) }),
    at: frames.slice(0, MAX_FRAMES).map((line) => line.trim().slice(3)),
  };
}
