/**
 * What a person is shown before a call runs, as data: each channel draws it in its own way. All texts are plain, in one
 * language, redacted and bounded; each is one line. Source: reference/human-centered-tool-calling.md.
 */
import type { Category } from "../policy/selectors.ts";

/** Languages that ship. */
export const languages = ["en", "zh", "ja"] as const;
export type Language = (typeof languages)[number];

export interface Disclosure {
  readonly language: Language;
  readonly tool: string;
  readonly category: Category;
  /** What will happen. */
  readonly summary: string;
  /** Why it asks beyond its category, where the data goes, what is sensitive. */
  readonly notes: readonly string[];
  readonly arguments: readonly DisclosedArgument[];
  /** How many arguments are not listed. */
  readonly more: number;
  /** What changes, where the call itself tells before and after; empty where it does not. */
  readonly changes: readonly ChangedLine[];
  readonly destination: string | null;
  readonly reversible: boolean;
  /** Whether and how it can be undone; empty for what changes nothing. */
  readonly undoing: string;
  /** `Proceed?`, `Apply changes?`, `Enable GNORM for this session?` */
  readonly question: string;
  /** More about the tool, where the policy tells; null where it does not. */
  readonly learnMore: string | null;
}

export interface DisclosedArgument {
  readonly name: string;
  /** As text that cannot imitate what stands around it. */
  readonly value: string;
  readonly redacted: boolean;
}

export interface ChangedLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}
