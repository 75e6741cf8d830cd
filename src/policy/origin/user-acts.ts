/** What the user's words say of acts: which they ask for, and which they forbid. Pure. */
import type { ToolEffect } from "./roles/tool-verbs.ts";

export interface UserActs {
  /** Empty where no known verb names one: then nothing follows from what is not named. */
  readonly wanted: ReadonlySet<ToolEffect>;
  /** Without what is wanted as well: "delete a.txt, not b.txt". */
  readonly refused: ReadonlySet<ToolEffect>;
}
