/** Types of where a call goes and where its values come from. The console reads them too: no import of Node stands here. */
import type { ToolEffect } from "./roles/tool-verbs.ts";

/** By the name of each argument that says where the call goes, a digest of its values. */
export type Destinations = Readonly<Record<string, string>>;

/** The same for a person to read: without what the policy redacts, each value on one line, of a URL the host. */
export type ShownDestinations = Readonly<Record<string, readonly string[]>>;

/** Both are absent where the call names no destination. */
export interface BoundDestinations {
  readonly destinations?: Destinations | undefined;
  readonly goesTo?: ShownDestinations | undefined;
}

/** The result that a person may endorse. */
export interface EndorsableSource {
  readonly tool: string;
  readonly callId: string;
  /** SHA-256 of its text. */
  readonly digest: string;
}

/** What the user's words say of acts: which they request, and which they forbid. */
export interface UserActs {
  /** Empty where no known verb names one: then nothing follows from what is not named. */
  readonly wanted: ReadonlySet<ToolEffect>;
  /** Without what is wanted as well: "delete a.txt, not b.txt". */
  readonly refused: ReadonlySet<ToolEffect>;
}

/** `text`: words that order the model about; `forged_turn`: marks of a conversation's form; `encoded`: either, in an encoding. */
export type InstructionKind = "text" | "forged_turn" | "encoded";

export interface FoundInstruction {
  readonly kind: InstructionKind;
  /** What was found with what stands around it, on one line and cut. */
  readonly passage: string;
}

export interface ResultInstruction extends FoundInstruction {
  /** The tool whose result it stands in; null where nobody knows. */
  readonly tool: string | null;
}
