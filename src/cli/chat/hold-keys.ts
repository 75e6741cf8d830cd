import type { Key } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";

/**
 * Drops keys that are typed while no question is shown. Attack, and accident: a key that was typed before the question was drawn would
 * answer a question that the person has not read.
 */

/** Keys in the terminal's buffer arrive within this time after a question appears. */
const SETTLE_MS = 150;

/** @returns ends it. */
export function holdKeys(onStop: () => void): () => void {
  const { stdin } = process;
  const onData = (data: Buffer): void => {
    if (data.includes(3)) onStop();
  };
  stdin.setRawMode(true);
  stdin.on("data", onData).resume();
  return () => {
    stdin.off("data", onData).pause();
    stdin.setRawMode(false);
  };
}

/** Drops the keys that were typed up to now. */
export async function dropTyped(): Promise<void> {
  const release = holdKeys(() => {});
  await wait(SETTLE_MS);
  release();
}

/** Lets Ctrl-D leave a prompt, as Ctrl-C does: the prompts react to Ctrl-C alone, and would never end. */
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
