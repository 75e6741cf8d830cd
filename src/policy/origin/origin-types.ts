/** Types for a call's destinations and the origins of its values. The console loads this file too, so it imports nothing of Node. */
import type { Category } from "../selectors.ts";
import type { ToolEffect } from "./roles/tool-verbs.ts";

/** A digest of the values of each argument that says where the call goes, by its name. */
export type Destinations = Readonly<Record<string, string>>;

/** The same for people: without what the policy redacts, each value on one line, a URL as its host. */
export type ShownDestinations = Readonly<Record<string, readonly string[]>>;

/** Both are absent if the call names no destination. */
export interface BoundDestinations {
  readonly destinations?: Destinations | undefined;
  readonly goesTo?: ShownDestinations | undefined;
}

/** The result that the user may endorse. */
export interface EndorsableSource {
  readonly tool: string;
  readonly callId: string;
  /** SHA-256 of its text. */
  readonly digest: string;
}

/** The acts in the user's words: requested ones and forbidden ones. */
export interface UserActs {
  /** Empty if no known verb names one: then nothing follows from acts that are not named. */
  readonly wanted: ReadonlySet<ToolEffect>;
  /** Without what is wanted as well: "delete a.txt, not b.txt". */
  readonly refused: ReadonlySet<ToolEffect>;
}

/** What the assistant plainly offered, and the user said yes to: "Shall I set the stock to 40?" */
export interface AcceptedOffer {
  /** The act, in the assistant's words. */
  readonly text: string;
  /** Whether its words name what the call does, and to what; never a call that stays done. */
  readonly offers: (call: OfferedCall) => boolean;
}

export interface OfferedCall {
  readonly traits: {
    readonly name: string;
    readonly category: Category;
    readonly listed: boolean;
    readonly destination?: string;
    readonly description?: string;
  };
  readonly effects: ReadonlySet<ToolEffect>;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Those of its arguments. */
  readonly values: readonly (string | number)[];
}

/** `text`: words that order the model about; `forged_turn`: marks of a conversation's form; `encoded`: either, in an encoding. */
export type InstructionKind = "text" | "forged_turn" | "encoded";

export interface FoundInstruction {
  readonly kind: InstructionKind;
  /** The match with the text around it, on one line and cut. */
  readonly passage: string;
}

export interface ResultInstruction extends FoundInstruction {
  /** The tool whose result contains it; null if it is not known. */
  readonly tool: string | null;
}
