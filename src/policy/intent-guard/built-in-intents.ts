/** The six intents of reference/intent-guard.md (3.1), which every document with `intentGuard` has. */
import type { GuardedFamilySettings } from "./guard-schema.ts";
import { browserPhrases } from "./phrases/browser.ts";
import { codePhrases } from "./phrases/code.ts";
import { filesystemPhrases } from "./phrases/filesystem.ts";
import { memoryPhrases } from "./phrases/memory.ts";
import type { Phrases } from "./phrases/phrases.ts";
import { researchPhrases } from "./phrases/research.ts";

export interface BuiltInIntent {
  readonly description: string;
  readonly phrases: Phrases;
  /** Used if the document sets no others. Only `browser_access` is enabled by default. */
  readonly families: GuardedFamilySettings;
}

/** In the order of the reference. A `Map`, since documents choose the names that are looked up. */
export const builtInIntents: ReadonlyMap<string, BuiltInIntent> = new Map<string, BuiltInIntent>([
  [
    "general",
    {
      description: "anything else that the user wants",
      phrases: { keywords: [], patterns: [], examples: [] },
      // It is not narrowed: a document that narrows it must name the families.
      families: {},
    },
  ],
  [
    "browser_access",
    {
      description: "open, read or operate web pages in a browser",
      phrases: browserPhrases,
      families: {
        enabled: true,
        allowedFamilies: ["browser"],
        softAllowedFamilies: ["network"],
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
      families: { allowedFamilies: ["network", "browser"], softAllowedFamilies: ["memory", "filesystem"] },
    },
  ],
  [
    "filesystem_ops",
    {
      description: "work on files and folders",
      phrases: filesystemPhrases,
      families: { allowedFamilies: ["filesystem"], softAllowedFamilies: ["shell"] },
    },
  ],
  [
    "code_edit",
    {
      description: "change program code",
      phrases: codePhrases,
      families: { allowedFamilies: ["filesystem", "vcs"], softAllowedFamilies: ["shell"], softBlockAfter: 1 },
    },
  ],
  [
    "memory_ops",
    {
      description: "remember something, recall it or forget it",
      phrases: memoryPhrases,
      families: { allowedFamilies: ["memory"], softAllowedFamilies: ["filesystem"] },
    },
  ],
]);
