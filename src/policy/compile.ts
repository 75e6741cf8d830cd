/** From the document to what the rules look at: Maps for names, selectors parsed once. Pure. */
import { err, ok, type Result } from "../lib/result.ts";
import { compileAny, type LinearPattern } from "./arguments/linear-pattern.ts";
import type { ToolSettings } from "./document/document-parts.ts";
import type { PolicyDocument } from "./document/document-schema.ts";
import type { PolicyIssue } from "./document/policy-issue.ts";
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

export interface CompiledMode {
  readonly name: string;
  readonly description?: string;
  readonly allow: SelectorSet;
  readonly deny: SelectorSet;
  /** Absent: every role. */
  readonly roles?: ReadonlySet<string>;
}

/** Settings that stand under a selector. */
export interface Group {
  /** The selector as written: it names the windows that the group's tools share. */
  readonly key: string;
  readonly selector: Selector;
  readonly settings: ToolSettings;
  readonly windows: readonly RateWindow[];
}

export interface Family {
  readonly name: string;
  readonly members: SelectorSet;
}

/** What a server's own hints come to, as far as the policy believes them. */
export interface DiscoveredTool {
  readonly category: Category;
  readonly class: ToolClass;
  readonly sensitive: boolean;
  readonly connection?: string | undefined;
  readonly destination: string;
}

export interface CompiledPolicy {
  /** Digest of the document: names it in records, and keys caches. */
  readonly version: string;
  readonly name: string;
  /** Weakest first. */
  readonly roles: readonly string[];
  readonly modes: ReadonlyMap<string, CompiledMode>;
  /** Never empty: a policy without intents has `general`. */
  readonly intents: ReadonlyMap<string, CompiledIntent>;
  /** Settings of tools listed by their own name. */
  readonly tools: ReadonlyMap<string, ToolSettings>;
  /** Windows from the document's `rateLimits` under a tool's own name. */
  readonly toolWindows: ReadonlyMap<string, readonly RateWindow[]>;
  readonly groups: readonly Group[];
  readonly families: readonly Family[];
  /** The category of what no setting classifies. */
  readonly unlistedTools: Category;
  /** Whether tools that are not listed by their own name are never offered. */
  readonly deniesUnlisted: boolean;
  readonly handoffs: SelectorSet;
  /** Request fields that go on although the provider runs tools itself by them. */
  readonly passFields: ReadonlySet<string>;
  readonly mcpServers: PolicyDocument["mcpServers"];
  /** Tools of MCP servers that the policy does not list by name, by theirs; absent: none is known. */
  readonly discovered?: ReadonlyMap<string, DiscoveredTool>;
  readonly injection: {
    readonly sets: readonly string[];
    readonly action: "ask" | "deny";
    readonly custom: ReadonlyMap<string, LinearPattern>;
  };
  readonly entities: PolicyDocument["entities"];
  readonly detection: PolicyDocument["detection"];
  /** Present where it is in force: then the built-in families and intents are, too. */
  readonly intentGuard?: { readonly detector: "heuristic" | "model" };
  readonly handshake: PolicyDocument["handshake"];
  /** `inlineExpiresAfter` and `grants.longest` are in milliseconds. */
  readonly confirmation: PolicyDocument["confirmation"];
  readonly gates: PolicyDocument["gates"];
  readonly execution: PolicyDocument["execution"];
  /** `keepFor` is in milliseconds. */
  readonly plans: PolicyDocument["plans"];
  readonly audit: PolicyDocument["audit"];
}

/**
 * @param document as `parsePolicyDocument` gave it.
 * @param version content digest of the document.
 */
export function compilePolicy(
  document: PolicyDocument,
  version: string,
): Result<CompiledPolicy, readonly PolicyIssue[]> {
  try {
    return ok(compile(document, version));
  } catch (error) {
    // A document that was not parsed first, or was changed since.
    return err([{ path: "", message: error instanceof Error ? error.message : "cannot be compiled" }]);
  }
}

function compile(document: PolicyDocument, version: string): CompiledPolicy {
  const { handshake, confirmation, gates, execution, plans, audit, entities, unlistedTools, mcpServers } = document;
  return {
    version,
    name: document.name,
    roles: document.roles,
    modes: compileModes(document),
    intents: compileIntents(effectiveIntents(document), execution),
    tools: new Map(Object.entries(document.tools).filter(([key]) => selectorKind(key) === "name")),
    toolWindows: new Map(
      Object.entries(document.rateLimits)
        .filter(([key]) => selectorKind(key) === "name")
        .map(([key, limits]) => [key, windowsOf(`tool:${key}`, limits)]),
    ),
    groups: compileGroups(document),
    families: Object.entries(document.families).map(([name, members]) => ({
      name,
      members: compileSelectors(members),
    })),
    unlistedTools: unlistedTools === "deny" ? "modification" : unlistedTools,
    deniesUnlisted: unlistedTools === "deny",
    handoffs: compileSelectors(document.handoffs),
    passFields: new Set(document.passFields),
    mcpServers,
    injection: {
      sets: document.injection.sets,
      action: document.injection.action,
      custom: new Map(
        Object.entries(document.injection.custom).map(([name, patterns]) => [name, compileAny(patterns)]),
      ),
    },
    entities,
    detection: guardedDetection(document),
    intentGuard: document.intentGuard?.enabled ? { detector: document.intentGuard.detector } : undefined,
    handshake,
    confirmation,
    gates,
    execution,
    plans,
    audit,
  };
}

function compileModes(document: PolicyDocument): Map<string, CompiledMode> {
  const modes = new Map<string, CompiledMode>();
  if (!Object.hasOwn(document.modes, "default")) {
    modes.set("default", { name: "default", allow: compileSelectors(["*"]), deny: compileSelectors([]) });
  }
  for (const [name, mode] of Object.entries(document.modes)) {
    modes.set(name, {
      name,
      description: mode.description,
      allow: compileSelectors(mode.allow),
      deny: compileSelectors(mode.deny),
      roles: mode.roles && new Set(mode.roles),
    });
  }
  return modes;
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
