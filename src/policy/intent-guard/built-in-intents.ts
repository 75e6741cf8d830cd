/** The six intents of reference/intent-guard.md (3.1), which a document with `intentGuard` has without writing them. */
import { browserPhrases } from "./phrases/browser.ts";
import { codePhrases } from "./phrases/code.ts";
import { filesystemPhrases } from "./phrases/filesystem.ts";
import { memoryPhrases } from "./phrases/memory.ts";
import type { Phrases } from "./phrases/phrases.ts";
import { researchPhrases } from "./phrases/research.ts";

export interface BuiltInIntent {
  readonly description: string;
  readonly phrases: Phrases;
  /** What holds where the document says nothing else. Only `browser_access` is enabled by itself. */
  readonly policy: {
    readonly enabled: boolean;
    readonly allowedFamilies: readonly string[];
    readonly softAllowedFamilies: readonly string[];
    readonly softBlockAfter: number;
    readonly requiredSuccessFamilies: readonly string[];
    readonly noFallback: boolean;
    readonly failTaskIfUnmet: boolean;
  };
}

type Families = readonly string[];

const lenient = (allowedFamilies: Families, softAllowedFamilies: Families, softBlockAfter = 2) => ({
  enabled: false,
  allowedFamilies,
  softAllowedFamilies,
  softBlockAfter,
  requiredSuccessFamilies: [],
  noFallback: false,
  failTaskIfUnmet: false,
});

/** In the order of the reference. A `Map`: names of intents come from documents. */
export const builtInIntents: ReadonlyMap<string, BuiltInIntent> = new Map([
  [
    "general",
    {
      description: "anything else that the user wants",
      phrases: { keywords: [], patterns: [], examples: [] },
      // Nothing is allowed by itself: it is not narrowed, and who narrows it must say to what.
      policy: lenient([], []),
    },
  ],
  [
    "browser_access",
    {
      description: "open, read or operate web pages in a browser",
      phrases: browserPhrases,
      policy: {
        enabled: true,
        allowedFamilies: ["browser"],
        softAllowedFamilies: ["network"],
        softBlockAfter: 2,
        requiredSuccessFamilies: ["browser"],
        noFallback: true,
        failTaskIfUnmet: true,
      },
    },
  ],
  [
    "network_research",
    {
      description: "find something out on the internet",
      phrases: researchPhrases,
      policy: lenient(["network", "browser"], ["memory", "filesystem"]),
    },
  ],
  [
    "filesystem_ops",
    {
      description: "work on files and folders",
      phrases: filesystemPhrases,
      policy: lenient(["filesystem"], ["shell"]),
    },
  ],
  [
    "code_edit",
    {
      description: "change program code",
      phrases: codePhrases,
      policy: lenient(["filesystem", "vcs"], ["shell"], 1),
    },
  ],
  [
    "memory_ops",
    {
      description: "remember something, recall it or forget it",
      phrases: memoryPhrases,
      policy: lenient(["memory"], ["filesystem"]),
    },
  ],
]);
