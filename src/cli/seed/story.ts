/** One conversation of a seeded week: what the person writes and answers, and what the scripted model does. */
import type { ScriptedCall } from "../write-answer.ts";

/** One message of a person, and what comes of it. */
export interface StoryTurn {
  readonly user: string;
  /** What the model answers, request by request; the last one is words. A call that is let through gets its `result`. */
  readonly steps: readonly StoryStep[];
  /** To a question that the gateway asks; absent: nobody answers it. */
  readonly answer?: Answer;
}

export type Answer = "approve" | "deny" | "say_yes" | "say_no";

export interface StoryStep {
  readonly text?: string;
  readonly calls?: readonly (ScriptedCall & { readonly result: string })[];
}

export interface Story {
  readonly turns: readonly StoryTurn[];
  readonly mode?: "training";
}

export const call = (name: string, args: object, result: object | string) => ({
  name,
  arguments: JSON.stringify(args),
  result: typeof result === "string" ? result : JSON.stringify(result),
});
export const calls = (...list: readonly ReturnType<typeof call>[]): StoryStep => ({ calls: list });
export const words = (text: string): StoryStep => ({ text });
