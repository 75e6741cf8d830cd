/** Compiles a document for the rules: Maps for names, selectors parsed once. Pure. */
import { err, ok, type Result } from "../lib/result.ts";
import type { LocalText } from "../lib/text/languages.ts";
import { compileAny, type LinearPattern } from "./arguments/linear-pattern.ts";
import type { ToolSettings } from "./document/document-parts.ts";
import type { PolicyDocument } from "./document/document-schema.ts";
import type { PolicyIssue } from "./document/policy-issue.ts";
import type { McpServer } from "./document/run-parts.ts";
import type { RateWindow } from "./facts.ts";
import { effectiveIntents, guardedDetection } from "./intent-guard/effective-intents.ts";
import { type CompiledIntent, compileIntents } from "./intents.ts";
import {
  type Category,
  compileSelectors,
  parseSelector,
  type Selector,
  type SelectorSet,
  selectorKind,
  type ToolClass,
} from "./selectors.ts";

interface CompiledMode {
  readonly name: string;
  readonly description?: string;
  readonly allow: SelectorSet;
  readonly deny: SelectorSet;
  /** Absent: every role. */
  readonly roles?: ReadonlySet<string>;
}

/** Settings under a selector. */
export interface Group {
  /** The selector as written: it names the windows that the group's tools share. */
  readonly key: string;
  readonly selector: Selector;
  readonly settings: ToolSettings;
  readonly windows: readonly RateWindow[];
}

interface Family {
  readonly name: string;
  readonly members: SelectorSet;
}

/** A server's own hints, as far as the policy trusts them. */
export interface DiscoveredTool {
  readonly category: Category;
  readonly class: ToolClass;
  readonly sensitive: boolean;
  readonly connection?: string | undefined;
  readonly destination: string;
  readonly destinationText?: LocalText | undefined;
}

/** The parts that the rules read as they are in the document. */
const COPIED = [
  ...(["name", "roles", "connections", "entities", "handshake", "confirmation", "words", "results"] as const),
  ...(["gates", "execution", "plans", "audit", "enforce"] as const),
] as const;

type Copied = Pick<PolicyDocument, (typeof COPIED)[number]>;

/** Durations are in milliseconds. */
export interface CompiledPolicy extends Copied, Pick<PolicyDocument, "detection"> {
  /** Digest of the document: names it in records, and keys caches. */
  readonly version: string;
  readonly modes: ReadonlyMap<string, CompiledMode>;
  readonly mcpServers: ReadonlyMap<string, McpServer>;
  /** Never empty: a policy without intents has `general`. */
  readonly intents: ReadonlyMap<string, CompiledIntent>;
  /** Settings of tools listed by their own name. */
  readonly tools: ReadonlyMap<string, ToolSettings>;
  /** Windows from the document's `rateLimits` under a tool's own name. */
  readonly toolWindows: ReadonlyMap<string, readonly RateWindow[]>;
  readonly groups: readonly Group[];
  readonly families: readonly Family[];
  /** The category of tools that no setting classifies. */
  readonly unlistedTools: Category;
  /** Whether tools that are not listed by their own name are never offered. */
  readonly deniesUnlisted: boolean;
  /** Whether their category is inferred from their words: see `infer/with-inferred.ts`. */
  readonly infersUnlisted: boolean;
  /** By name, the categories whose demands apply to the unlisted tools of one request. */
  readonly inferred?: ReadonlyMap<string, readonly Category[]>;
  /** Some tool may be called only after another, or never after it. */
  readonly hasSequences: boolean;
  /** The policy, or one of its tools, is only observed. */
  readonly observes: boolean;
  readonly handoffs: SelectorSet;
  /** Globs of mail addresses and hosts. */
  readonly directory: readonly string[];
  /** Request fields that the gateway passes on although they make the provider run tools itself. */
  readonly passFields: ReadonlySet<string>;
  /** Hosted tools that a request may contain. */
  readonly allowHosted: ReadonlySet<string>;
  /** By the name that a client writes, the models that are tried instead, in order. */
  readonly models: ReadonlyMap<string, readonly string[]>;
  /** Tools of MCP servers that the policy does not list, by name; absent: none is known. */
  readonly discovered?: ReadonlyMap<string, DiscoveredTool>;
  readonly injection: {
    readonly sets: readonly string[];
    readonly action: "ask" | "deny";
    readonly custom: ReadonlyMap<string, LinearPattern>;
  };
  /** Present if it is in force: then the built-in families and intents are, too. */
  readonly intentGuard?: { readonly detector: "heuristic" | "model" };
}

/**
 * @param document from `parsePolicyDocument`.
 * @param version content digest of the document.
 */
export function compilePolicy(
  document: PolicyDocument,
  version: string,
): Result<CompiledPolicy, readonly PolicyIssue[]> {
  try {
    return ok(compile(document, version));
  } catch (error) {
    // The document was not parsed first, or was changed since.
    return err([{ path: "", message: error instanceof Error ? error.message : "cannot be compiled" }]);
  }
}

function compile(document: PolicyDocument, version: string): CompiledPolicy {
  const { tools, rateLimits, families, unlistedTools, injection, intentGuard, enforce } = document;
  const named = <T>(settings: Readonly<Record<string, T>>) =>
    Object.entries(settings).filter(([key]) => selectorKind(key) === "name");
  return {
    version,
    ...copied(document),
    observes: enforce === "observe" || Object.values(tools).some((one) => one.enforce === "observe"),
    modes: compileModes(document),
    mcpServers: new Map(Object.entries(document.mcpServers)),
    intents: compileIntents(effectiveIntents(document), document.execution),
    tools: new Map(named(tools)),
    toolWindows: new Map(named(rateLimits).map(([key, limits]) => [key, windowsOf(`tool:${key}`, limits)])),
    groups: compileGroups(document),
    families: Object.entries(families).map(([family, members]) => ({
      name: family,
      members: compileSelectors(members),
    })),
    unlistedTools: unlistedTools === "deny" || unlistedTools === "infer" ? "modification" : unlistedTools,
    deniesUnlisted: unlistedTools === "deny",
    infersUnlisted: unlistedTools === "infer",
    hasSequences: Object.values(tools).some(({ after, neverAfter }) => after?.length || neverAfter?.length),
    handoffs: compileSelectors(document.handoffs),
    directory: document.directory,
    passFields: new Set(document.passFields),
    allowHosted: new Set(document.allowHosted),
    models: new Map(Object.entries(document.models)),
    injection: {
      sets: injection.sets,
      action: injection.action,
      custom: new Map(Object.entries(injection.custom).map(([set, patterns]) => [set, compileAny(patterns)])),
    },
    detection: guardedDetection(document),
    intentGuard: intentGuard?.enabled ? { detector: intentGuard.detector } : undefined,
  };
}

const copied = (document: PolicyDocument): Copied =>
  Object.fromEntries(COPIED.map((key) => [key, document[key]])) as Copied;

function compileModes({ modes }: PolicyDocument): Map<string, CompiledMode> {
  const entries = Object.entries(modes).map(([name, mode]): [string, CompiledMode] => {
    const [allow, deny] = [compileSelectors(mode.allow), compileSelectors(mode.deny)];
    return [name, { name, description: mode.description, allow, deny, roles: mode.roles && new Set(mode.roles) }];
  });
  const standard = { name: "default", allow: compileSelectors(["*"]), deny: compileSelectors([]) };
  return new Map(Object.hasOwn(modes, "default") ? entries : [["default", standard], ...entries]);
}

function compileGroups(document: PolicyDocument): Group[] {
  const groups: Group[] = [];
  const add = (key: string, settings: ToolSettings, limits: ToolSettings["rateLimits"]) => {
    const selector = parseSelector(key);
    if (!selector.ok) throw new Error(`\`${key}\` ${selector.error}`);
    if (selector.value.kind === "name") return;
    groups.push({ key, selector: selector.value, settings, windows: windowsOf(key, limits ?? []) });
  };
  for (const [key, settings] of Object.entries(document.tools)) add(key, settings, settings.rateLimits);
  for (const [key, limits] of Object.entries(document.rateLimits)) add(key, {}, limits);
  return groups;
}

/** @param key what shares the windows: `tool:NAME`, or a group's selector as written. */
export function windowsOf(key: string, limits: NonNullable<ToolSettings["rateLimits"]>): RateWindow[] {
  return limits.map(({ max, window }) => ({ key, max, windowMs: window }));
}
