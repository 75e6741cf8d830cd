/** The user's own words in a message's content: without what clients put around them, then as the policy tells them apart. Pure. */
import { userTextOf } from "../../intent/lexical/user-text.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { userWordsIn } from "../../wire/user-words.ts";

/** @returns undefined where the message holds only the client's words. */
export function ownWords(policy: CompiledPolicy, content: unknown, work: WorkBudget): string | undefined {
  const words = userWordsIn(content);
  return words === undefined ? undefined : userTextOf(policy, words, work);
}
