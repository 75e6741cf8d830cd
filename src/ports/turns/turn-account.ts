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
  /** The detection in the user's message; null if there was none: on a continuation, or for a command. */
  readonly detection: RecordedDetection | null;
  readonly stopReason: string;
  readonly finishReason: string | null;
  /** Calls of the model. */
  readonly steps: number;
  /** Names of the tools that were offered. */
  readonly offered: readonly string[];
  readonly withheld: readonly WithheldNote[];
  /** How many names were left out of `offered` and `withheld`; absent if none was. */
  readonly offeredMore?: number;
  readonly withheldMore?: number;
  readonly tokensSaved: number;
  /** The model was called before UserGuard had answered, and that call was given up because the facts differed. It is not among `steps`. */
  readonly redone?: true;
  /** As the upstream sent it. */
  readonly usage: unknown;
  readonly error: string | null;
  /** The variant of its task; absent if the intent has no call that the system could make. Stored records use this name. */
  readonly arm?: Variant;
  /** With `arm`: the intent that the turn began with; the model may have selected another. */
  readonly intentOpened?: string;
  /** With `arm`: an earlier, answered request was the same: the task had begun already. */
  readonly again?: true;
  readonly systemFirst?: SystemFirstNote;
  /** Changed links in the model's text, and the first host that was not named before; absent if none was changed. */
  readonly links?: { readonly changed: number; readonly hosts: readonly string[] };
  /** Instructions to the model in the task's untrusted results: the tools whose results they are, and the kinds. Absent: none. */
  readonly instructions?: readonly { readonly tool: string | null; readonly kind: string }[];
  /**
   * Trusted tools that returned a tainted write: which call wrote it, in which session. `from` is null if more was written than is
   * stored. Absent: none.
   */
  readonly stored?: readonly {
    readonly tool: string;
    readonly from: { readonly tool: string; readonly session: string } | null;
  }[];
  /** The policy only observed: what it withheld was sent, and what it refused was let through. */
  readonly observed?: true;
  /** The plan that it ran. */
  readonly plan?: string;
  /** What the tenant's candidate would have decided. Absent: there was none. */
  readonly candidate?: CandidateAccount;
}

/** A call that a policy which is not in force would have decided otherwise. */
export interface CandidateCall {
  /** Id of the decision. */
  readonly decision: string;
  readonly tool: string;
  readonly from: Effect;
  readonly to: Effect;
  /** Codes: those that the candidate has, or, if it lets the call through, those that no longer hold. */
  readonly reasons: readonly string[];
}

export interface StepDifferences {
  /** Calls that both judged. */
  readonly judged: number;
  /** Calls that could not be judged by the same facts. */
  readonly unjudged: number;
  readonly calls: readonly CandidateCall[];
  /** Tools that only the candidate would have offered, or withheld. */
  readonly offered: readonly string[];
  readonly withheld: readonly string[];
}

/** How a candidate policy would have decided the turn; the tools are those of its first step. */
export interface CandidateAccount extends Omit<StepDifferences, "unjudged"> {
  /** Digest of the candidate. */
  readonly policy: string;
  /** Absent if there was none. */
  readonly unjudged?: number;
}

/** The outcome of system-first execution in a turn. */
export interface SystemFirstNote {
  /**
   * `ran`: the call was made without the model. `asked_person`: it waits for a person. `refused`: the rules did not allow it.
   * `denied_by_person`: the person said no. `left`: the model decided after all.
   */
  readonly outcome: "ran" | "asked_person" | "refused" | "denied_by_person" | "left";
  readonly tool: string;
  /** Names of required arguments that the user's words did not contain. */
  readonly missing: readonly string[];
}

/** A detection without the user's own words: what the policy says, and the positions of the matches in the message. */
export interface RecordedDetection {
  readonly intents: readonly RecordedIntent[];
  readonly discounted: readonly RecordedIntent[];
  readonly followUp: boolean;
  /** The confidence from which an intent is selected. Absent in records of an earlier version. */
  readonly selectAt?: number;
  readonly entities: readonly RecordedEntity[];
  readonly missed: readonly string[];
  /** The message, if no intent matched it, the model named one, and the policy keeps such messages. Absent otherwise. */
  readonly message?: string;
  /** The message's beginning with what was detected in it, if the policy keeps messages. Absent otherwise. */
  readonly words?: readonly RecordedWords[];
}

/** A piece of the user's message. `…` replaces an entity that is not recorded. */
export interface RecordedWords {
  readonly text: string;
  /** Intents that these words are evidence for. */
  readonly heard?: readonly string[];
  /** Intents that they only seem to be evidence for: the user said *not* this, or only mentions it. */
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
  /** Null if it is redacted: then only its presence is known. */
  readonly value: string | number | null;
  readonly at: number;
}
