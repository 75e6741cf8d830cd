/** What a turn reports for its record when it closes. Plain JSON without `undefined`: the record is hashed. */
import type { Effect } from "../../policy/decision.ts";
import type { State } from "../../session/state.ts";
import type { Variant } from "../../session/variant.ts";

/** A tool that no step of a turn offered. */
export interface WithheldNote {
  readonly name: string;
  /** The codes of the reasons. */
  readonly reasons: readonly string[];
  /** What the client must mend: present with `schema_invalid`. */
  readonly message?: string;
}

export interface TurnAccount {
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
  readonly role: string;
  readonly mode: string;
  /** Digest of the policy document that decided. */
  readonly policy: string;
  readonly stateOpened: State;
  readonly stateClosed: State;
  readonly intents: readonly string[];
  /** What was detected in the user's message; null where nothing was looked for: on a continuation, or for a command. */
  readonly detection: RecordedDetection | null;
  readonly stopReason: string;
  readonly finishReason: string | null;
  /** Calls of the model. */
  readonly steps: number;
  /** Names of the tools that were offered. */
  readonly offered: readonly string[];
  readonly withheld: readonly WithheldNote[];
  /** How many names were left out of `offered` and `withheld`; absent where none was. */
  readonly offeredMore?: number;
  readonly withheldMore?: number;
  readonly tokensSaved: number;
  /** The model was called before UserGuard had answered, and that call was given up: its facts were others. It is not among `steps`. */
  readonly redone?: true;
  /** As the upstream gave it. */
  readonly usage: unknown;
  readonly error: string | null;
  /** The variant of its task; absent where the intent has no call that the system could make. Stored records name it so. */
  readonly arm?: Variant;
  /** With `arm`: the intent that the turn began with; the model may have taken another. */
  readonly intentOpened?: string;
  /** With `arm`: an earlier, answered request was the same: the task had begun already. */
  readonly again?: true;
  readonly systemFirst?: SystemFirstNote;
  /** Links in the model's words that were changed, and the first of the hosts that nobody had named; absent where none was. */
  readonly links?: { readonly changed: number; readonly hosts: readonly string[] };
  /** Instructions to the model in the task's untrusted results: the tools whose results they are, and the kinds. Absent: none. */
  readonly instructions?: readonly { readonly tool: string | null; readonly kind: string }[];
  /**
   * Trusted tools that brought back what a call had written after untrusted text: which call, in which session. `from` is null where
   * more was written than is kept. Absent: none.
   */
  readonly stored?: readonly {
    readonly tool: string;
    readonly from: { readonly tool: string; readonly session: string } | null;
  }[];
  /** The policy only observed: what it withheld was sent, and what it refused was let through. */
  readonly observed?: true;
  /** The plan that it ran. */
  readonly plan?: string;
  /** What the tenant's candidate would have made of it. Absent: there was none. */
  readonly candidate?: CandidateAccount;
}

/** A call that a policy which is not in force would have decided otherwise. */
export interface CandidateCall {
  /** Id of the decision. */
  readonly decision: string;
  readonly tool: string;
  readonly from: Effect;
  readonly to: Effect;
  /** Codes: those that the candidate has, or, where it lets the call through, those that no longer hold. */
  readonly reasons: readonly string[];
}

export interface StepDifferences {
  /** Calls that both judged. */
  readonly judged: number;
  /** Calls that could not be judged by the same facts. */
  readonly unjudged: number;
  readonly calls: readonly CandidateCall[];
  /** Tools that the candidate alone would have offered, or withheld. */
  readonly offered: readonly string[];
  readonly withheld: readonly string[];
}

/** How a candidate policy would have decided the turn; the tools are those of its first step. */
export interface CandidateAccount extends Omit<StepDifferences, "unjudged"> {
  /** Digest of the candidate. */
  readonly policy: string;
  /** Absent where there was none. */
  readonly unjudged?: number;
}

/** What system-first execution came to in a turn. */
export interface SystemFirstNote {
  /**
   * `ran`: the call was made without the model. `asked_person`: it waits for a person. `refused`: the rules did not allow it.
   * `denied_by_person`: the person said no. `left`: the model decided after all.
   */
  readonly outcome: "ran" | "asked_person" | "refused" | "denied_by_person" | "left";
  readonly tool: string;
  /** Names of required arguments that the user's words did not give. */
  readonly missing: readonly string[];
}

/** A detection without the user's own words: what the policy says, and where the message matched. */
export interface RecordedDetection {
  readonly intents: readonly RecordedIntent[];
  readonly discounted: readonly RecordedIntent[];
  readonly followUp: boolean;
  /** The confidence from which an intent is selected. Absent in records of an earlier version. */
  readonly selectAt?: number;
  readonly entities: readonly RecordedEntity[];
  readonly missed: readonly string[];
  /** The message, where no intent took it, the model named one, and the policy keeps such words. Absent otherwise. */
  readonly message?: string;
  /** The message's beginning with what was heard in it, where the policy keeps messages. Absent otherwise. */
  readonly words?: readonly RecordedWords[];
}

/** A piece of the user's message. In the place of an entity that is not recorded stands `…`. */
export interface RecordedWords {
  readonly text: string;
  /** Intents that these words speak for. */
  readonly heard?: readonly string[];
  /** Intents that they seem to speak for: the user said *not* this, or mentions it alone. */
  readonly discounted?: readonly string[];
}

export interface RecordedIntent {
  readonly name: string;
  readonly confidence: number;
  readonly layer: string;
  readonly evidence: readonly {
    readonly layer: string;
    readonly source: string;
    readonly at: number;
    readonly discounted?: string;
  }[];
}

export interface RecordedEntity {
  readonly name: string;
  /** Null where it is redacted: then only that it was there is known. */
  readonly value: string | number | null;
  readonly at: number;
}
