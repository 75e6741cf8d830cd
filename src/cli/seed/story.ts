/** One conversation of a seeded week: the person's messages and answers, and the scripted model's calls. */
import type { ScriptedCall } from "../write-answer.ts";

/** One message of a person, and the model's answers to it. */
export interface StoryTurn {
  readonly user: string;
  /** The model's answers, request by request; the last one is words. A released call gets its `result`. */
  readonly steps: readonly StoryStep[];
  /** The answer to the gateway's question; absent: it is not answered. */
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
