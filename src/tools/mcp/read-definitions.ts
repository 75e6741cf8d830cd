/** Reads a server's list of tools: the definitions that can be pinned, and those that are left out, with reasons. Pure. */

import { findInstructions } from "../../intent/instructions/find-instructions.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import { isObject, textsIn } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { hasUnseen } from "../../lib/text/unseen-characters.ts";
import { visible } from "../../lib/text/visible-text.ts";
import { type WorkBudget, withinBudget, workBudget } from "../../lib/work-budget.ts";
import { compileSchema } from "../../policy/arguments/argument-schema.ts";
import { findInjection } from "../../policy/arguments/injection.ts";
import { compileAny, type LinearPattern } from "../../policy/arguments/linear-pattern.ts";
import { mcpToolName } from "../../policy/mcp-tools.ts";
import { withoutSecrets } from "../without-secrets.ts";
import type { LeftOut, McpDefinition, McpList, SeenTool } from "./known-server.ts";
import { readNames } from "./relayed-reads.ts";

/** A name that every provider takes. */
const MAX_NAME = 64;
/** Characters of one definition. */
const MAX_DEFINITION = 32_768;
const MAX_LEFT_OUT = 100;
/** Keywords whose texts are prose: people and models read them, and no value is compared with them. */
const prose = new Set(["description", "title", "$comment"]);

/** @param server its name in the policy. @param secrets sent to the server, and kept from the model. */
export function readDefinitions(
  server: string,
  listed: readonly unknown[],
  secrets: readonly string[],
): Pick<McpList, "tools" | "leftOut"> {
  const times = new Map<string, number>();
  for (const one of listed) {
    const name = mcpToolName(server, nameOf(one));
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  // A list is read for many requests, so it has a budget of its own.
  const work = workBudget();
  const tools: SeenTool[] = [];
  const leftOut: LeftOut[] = [];
  for (const one of listed) {
    const name = mcpToolName(server, nameOf(one));
    const read = readNames(server).includes(name)
      ? err("the gateway reads the server's resources or prompts under this name")
      : times.get(name) === 1
        ? readDefinition(server, one, secrets, work)
        : err("the server has two tools of this name");
    if (read.ok) tools.push(read.value);
    else leftOut.push({ tool: visible(nameOf(one).slice(0, 128)), reason: read.error });
  }
  return { tools, leftOut: leftOut.slice(0, MAX_LEFT_OUT) };
}

function nameOf(listed: unknown): string {
  const name = isObject(listed) && Object.hasOwn(listed, "name") ? listed.name : undefined;
  return typeof name === "string" ? name : "";
}

function readDefinition(
  server: string,
  listed: unknown,
  secrets: readonly string[],
  work: WorkBudget,
): Result<SeenTool, string> {
  const name = nameOf(listed);
  if (!isObject(listed) || !/^[A-Za-z0-9_.-]+$/.test(name))
    return err("its name must have letters, digits, `_`, `-` and `.` alone");
  if (mcpToolName(server, name).length > MAX_NAME)
    return err(`\`${mcpToolName(server, name).slice(0, 100)}\` is longer than ${MAX_NAME} characters`);
  const { description, inputSchema, outputSchema, annotations } = listed;
  if (description !== undefined && typeof description !== "string") return err("its description is not a text");
  if (!isObject(inputSchema) || inputSchema.type !== "object") return err("its schema is not that of an object");
  const definition: McpDefinition = {
    name,
    ...(description === undefined ? {} : { description }),
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
  };
  const text = textOf(definition);
  if (!text.ok) return text;
  if (withoutSecrets(text.value, secrets) !== text.value)
    return err("its definition holds a secret that was sent to it");
  const schema = compileSchema(inputSchema, work);
  if (!schema.ok) return schema;
  // A value that the model must repeat cannot be cleaned, and characters that no person sees may be meant for the model.
  if (holdsUnseen(inputSchema)) return err("its schema holds characters that are not seen");
  return ok({ digest: sha256Hex(text.value), definition, suspicious: isSuspicious(definition, work) });
}

/** Also one that is built to take too long to check. */
const isSuspicious = (definition: McpDefinition, work: WorkBudget): boolean =>
  withinBudget(
    () => isPoisoned(definition, work),
    () => true,
  );

function textOf(definition: McpDefinition): Result<string, string> {
  try {
    const text = canonicalJson(definition);
    return text.length > MAX_DEFINITION ? err(`its definition is longer than ${MAX_DEFINITION} characters`) : ok(text);
  } catch {
    return err("its definition is nested too deep");
  }
}

function holdsUnseen(value: unknown): boolean {
  if (typeof value === "string") return hasUnseen(value);
  if (Array.isArray(value)) return value.some(holdsUnseen);
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([key, part]) => hasUnseen(key) || (!(prose.has(key) && typeof part === "string") && holdsUnseen(part)),
  );
}

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
  // Things that only the model has.
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
  return findInjection(definition, scan, patterns, work) !== undefined || textsIn(definition).some(isInstruction);
}

const isInstruction = (text: string): boolean => findInstructions(text) !== undefined;
