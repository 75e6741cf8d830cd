/**
 * Finds text in a tool's definition that gives orders to the model ("tool poisoning"). Pure.
 *
 * A definition tells what a tool does. It has no reason to hide something from the user, to name files with credentials, or
 * to ask for the conversation. The patterns are a net, not a wall: other words pass. `newTools: "wait"` is the wall.
 */
import type { WorkBudget } from "../../lib/work-budget.ts";
import { findInjection } from "../../policy/arguments/injection.ts";
import { compileAny, type LinearPattern } from "../../policy/arguments/linear-pattern.ts";
import type { McpDefinition } from "./known-server.ts";

const USER = "(?:the\\s+|an?y?\\s+)?(?:end[\\s-]*)?(?:users?|humans?|person|people|operator)(?:[^a-z]|$)";
const TELL = "(?:mention|tell|inform|reveal|show|disclose|notify|alert|say|explain|report|warn)";

/** RE2 syntax, case ignored. Honest definitions seldom match; one that does waits for an operator. */
const PATTERNS: readonly string[] = [
  // A tag that speaks to the model.
  "<\\s*/?\\s*(?:important|system|instructions?|hidden|critical|mandatory)\\s*/?\\s*>",
  // Secrecy: "do not mention this to the user", "without telling the user", "the user must not notice".
  `(?:do\\s+not|don['’]?t|never|must\\s+not|should\\s+not|without)\\s+(?:ever\\s+)?${TELL}(?:n?ing|s)?\\s+(?:[^\\s.]+\\s+){0,6}?${USER}`,
  `${USER}.{0,3}(?:must|should|need|may)\\s*(?:not|n['’]t)\\s+(?:know|see|notice|learn|be\\s+(?:told|informed|aware|notified))`,
  "(?:secretly|silently|covertly|quietly)\\s+(?:read|send|copy|call|include|forward|upload|add|append|bcc)",
  // Files that hold credentials.
  "(?:~|\\$HOME|%USERPROFILE%|/root|/home/[^\\s/]{1,40}|/Users/[^\\s/]{1,40})[/\\\\]\\.(?:ssh|aws|gnupg|kube|azure|netrc|npmrc|pypirc|docker|cursor|claude|codex|config[/\\\\](?:gcloud|gh))",
  "(?:^|[^a-z])id_(?:rsa|dsa|ecdsa|ed25519)(?:[^a-z0-9]|$)",
  "/etc/(?:passwd|shadow)",
  "claude_desktop_config\\.json|\\.cursor/mcp\\.json",
  // What only the model has.
  "(?:include|send|pass|put|provide|append|copy|paste|write)\\s+(?:[^\\s.]+\\s+){0,4}?(?:system\\s+prompt|(?:entire|full|whole|complete)\\s+(?:conversation|chat)(?:[^a-z]|$))",
  "(?:pass|send|put|include|append|provide)\\s+(?:its|their|that\\s+file's|the\\s+file's)\\s+(?:full\\s+|entire\\s+)?(?:contents?|text|data)\\s+(?:as|in|to|into|with|along)",
  // Another tool first, on a file that the user has not named.
  "before\\s+(?:using|calling|invoking|running)\\s+(?:this|any|the)\\s+(?:[^\\s.]+\\s+){0,3}?(?:tools?|functions?)[^.]{0,80}\\s(?:read|open|cat|load|access)\\s+(?:the\\s+)?(?:file|contents?|~|/)",
];

let patterns: ReadonlyMap<string, LinearPattern> | undefined;

const scan = { sets: ["prompt_injection", "poisoning"], action: "ask", except: [] } as const;

/** Every text counts, at any depth: descriptions and titles of parameters, enums, defaults, examples, names of members. Throws `WorkSpent`. */
export function isPoisoned(definition: McpDefinition, work: WorkBudget): boolean {
  patterns ??= new Map([["poisoning", compileAny(PATTERNS, { ignoreCase: true, builtIn: true })]]);
  return findInjection(definition, scan, patterns, work) !== undefined;
}
