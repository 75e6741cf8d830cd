/** A prompt that Ctrl-D leaves, as Ctrl-C does: the prompts know of Ctrl-C alone, and would never end. */
import type { Key } from "node:readline";

export async function untilLeft<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const leave = new AbortController();
  const onKey = (_: string | undefined, key: Key | undefined): void => {
    if (key?.ctrl && key.name === "d") leave.abort();
  };
  process.stdin.on("keypress", onKey);
  try {
    return await ask(leave.signal);
  } finally {
    process.stdin.off("keypress", onKey);
  }
}
