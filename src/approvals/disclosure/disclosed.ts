/**
 * What a person must know before a call runs. It is stored as data, and each reader gets it in their own language: only the policy's
 * words stay as they were written. It holds no argument: those are stored with the call. Source: reference/human-centered-tool-calling.md.
 */
import type { Language, LocalText } from "../../lib/text/languages.ts";
import type { MessagePlace } from "../../policy/reasons.ts";
import type { Category } from "../../policy/selectors.ts";

export type { Language, LocalText };

export interface Disclosure {
  /** The language of the conversation. */
  readonly language: Language;
  readonly tool: string;
  readonly category: Category;
  /** The policy names the tool: its name can be believed. */
  readonly listed: boolean;
  readonly reversible: boolean;
  /** The tool that undoes it. */
  readonly undo: string | null;
  /** Where data goes, in the policy's words. */
  readonly destination: string | null;
  /** The same by language; absent: `destination` is all that there is. */
  readonly destinationText?: LocalText;
  /** The policy's own words: for what a call does, for what the tool is, and for `learn more`. */
  readonly template: LocalText | null;
  readonly description: string | null;
  readonly more: LocalText | null;
  readonly preview: { readonly before?: string | undefined; readonly after: string } | null;
  /** The arguments that the schema names, which are shown first. */
  readonly order: readonly string[];
  /** What the policy hides from the approver, too; names and paths as in `redact`. */
  readonly hides: readonly string[];
  /** What looked like an attack. */
  readonly suspicious: { readonly set: string; readonly path: string } | null;
  /** Values that neither the user nor a trusted source gave; empty: the call names nothing. Absent: it was not judged, or not noted. */
  readonly untrusted?:
    | readonly { readonly path: string; readonly tool: string | null; readonly inMessages?: MessagePlace }[]
    | null;
  /** Instructions to the model in a result of the task, or in one that holds an untrusted value. Absent: there are none, or it was not noted. */
  readonly instructions?: { readonly tool: string | null; readonly passage: string } | null;
  /** The words of the policy's conditions that ask. Absent: none holds, or it was not noted. */
  readonly conditions?: readonly LocalText[] | null;
  /** The call that it takes back. Its arguments are redacted. */
  readonly undoes: UndoneCall | null;
  /** A consent to the first use holds until it is withdrawn, and not for this session alone. */
  readonly persistsGate: boolean;
}

export interface UndoneCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** As earlier versions stored it: texts in the conversation's language. */
export interface WrittenDisclosure {
  readonly language: Language;
  readonly tool: string;
  readonly category: Category;
  readonly summary: string;
  readonly notes: readonly string[];
  readonly changes: readonly ChangedLine[];
  readonly destination: string | null;
  readonly reversible: boolean;
  readonly undoing: string;
  readonly question: string;
  readonly learnMore: string | null;
}

/** What a person reads. Sentences are prose as `lib/text/prose.ts` reads it: what others wrote stands between backticks. */
export interface DisclosureView {
  readonly language: Language;
  readonly tool: string;
  readonly category: Category;
  /** Names the act, and asks: "Delete `old.txt`?" */
  readonly title: string;
  /** What the title leaves out of the policy's words, or what tools of the category do; empty where the title is enough. */
  readonly summary: string;
  readonly effects: readonly Consequence[];
  readonly arguments: readonly DisclosedArgument[];
  /** The one argument of the call that holds those listed, where they stand in an object of its own; else null. */
  readonly wrapper: DisclosedArgument | null;
  /** How many arguments are not listed. */
  readonly more: number;
  /** The arguments that the title shows whole. */
  readonly named: readonly string[];
  /** What changes, where the call itself holds before and after; else empty. */
  readonly changes: readonly ChangedLine[];
  readonly destination: string | null;
  readonly reversible: boolean;
  /** The person can enable the tool with the answer: for this session, or until it is withdrawn. */
  readonly firstUse: "session" | "lasting" | null;
  /** More about the tool, where the policy has words for it; else null. */
  readonly learnMore: string | null;
}

export type EffectKind =
  | "takes_back"
  | "suspicious"
  | "first_use"
  | "goes_to"
  | "hidden"
  | "changes"
  | "undo"
  | "final"
  | "note";

/** What follows from the call, as a sentence. */
export interface Consequence {
  readonly kind: EffectKind;
  readonly text: string;
}

export interface DisclosedArgument {
  readonly name: string;
  /** On one line; of a long value both ends. A text as it is, unless it would read as JSON; all else as JSON. */
  readonly value: string;
  /** Something in name or value stands as an escape. */
  readonly escaped: boolean;
  /** Characters of the whole value, and the beginning of its SHA-256, where `value` is not all of it; else null. */
  readonly cut: { readonly characters: number; readonly digest: string } | null;
  /** The policy keeps the value from who reads this. */
  readonly redacted: boolean;
  /** The policy keeps the value out of records; it is shown to the approver. */
  readonly private: boolean;
}

export interface ChangedLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}
