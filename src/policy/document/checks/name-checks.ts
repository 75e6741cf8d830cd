/** Checks of the names, selectors, schemas and patterns of a document. Pure. */
import { pointerKeys } from "../../../lib/json/json-value.ts";
import { nearestName } from "../../../lib/text/nearest-name.ts";
import type { WorkBudget } from "../../../lib/work-budget.ts";
import { schemaFaults } from "../../arguments/argument-schema.ts";
import { compilePattern } from "../../arguments/linear-pattern.ts";
import { isHosted } from "../../hosted.ts";
import { governedTwin, isGoverned } from "../../request-fields.ts";
import { parseSelector, type Selector, selectorKind } from "../../selectors.ts";
import { injectionSetNames } from "../document-parts.ts";
import type { PolicyDocument } from "../document-schema.ts";
import type { Findings, IssuePath } from "../policy-issue.ts";

/** @param advice what to do if no known name is near. */
export function unknownName(kind: string, name: string, known: Iterable<string>, advice: string): string {
  const near = nearestName(name, known);
  return `unknown ${kind} \`${name}\`, ${near === undefined ? advice : `did you mean \`${near}\`?`}`;
}

/** Every selector of a document with its path: in lists, and as a key of `tools` and `rateLimits`. */
export function* selectorsIn(document: PolicyDocument): Generator<{ readonly text: string; readonly path: IssuePath }> {
  const { modes, intents, tools, rateLimits, families } = document;
  const lists: [path: IssuePath, texts: readonly string[]][] = [];
  for (const [name, { allow, deny }] of Object.entries(modes))
    lists.push([["modes", name, "allow"], allow], [["modes", name, "deny"], deny]);
  for (const [name, intent] of Object.entries(intents)) lists.push([["intents", name, "tools"], intent.tools ?? []]);
  for (const [key, { after = [], neverAfter = [] }] of Object.entries(tools))
    lists.push([["tools", key, "after"], after], [["tools", key, "neverAfter"], neverAfter]);
  for (const [name, members] of Object.entries(families)) lists.push([["families", name], members]);
  for (const [path, texts] of lists)
    for (const [index, text] of texts.entries()) yield { text, path: [...path, index] };
  for (const [section, settings] of Object.entries({ tools, rateLimits }))
    for (const text of Object.keys(settings)) yield { text, path: [section, text] };
}

export function* checkSelectors(document: PolicyDocument): Findings {
  for (const { text, path } of selectorsIn(document)) {
    const selector = parseSelector(text);
    if (!selector.ok && path[0] !== "families") yield [path, selector.error];
    // A family that consists of families or categories could depend on itself.
    const isName = ["name", "glob"].includes(selectorKind(text) ?? "");
    yield [path, path[0] === "families" && !isName && "must be a name or a name with `*`"];
  }
}

/** Each tool of a request is compared with all of these, and a request may have hundreds of tools. */
const MAX_GLOBS = 300;
const MAX_SELECTORS = 2_000;
/** The gateway asks each for its tools. */
const MAX_SERVERS = 32;

export function* checkCounts(document: PolicyDocument): Findings {
  const selectors = new Set([...selectorsIn(document)].map(({ text }) => text));
  const count = (matches: (text: string) => boolean) => [...selectors].filter(matches).length;
  const counts = [
    [[], count((text) => text.length > 1 && text.includes("*")), MAX_GLOBS, "names with `*`"],
    [[], count((text) => text.includes(":")), MAX_SELECTORS, "selectors such as `family:…`"],
    [["mcpServers"], Object.keys(document.mcpServers).length, MAX_SERVERS, "servers"],
  ] as const;
  for (const [path, found, most, what] of counts)
    yield [path, found > most && `has ${found} ${what}, but at most ${most} are allowed`];
}

export function* checkRoles({ roles, modes, tools }: PolicyDocument): Findings {
  for (const [index, role] of roles.entries())
    yield [["roles", index], roles.indexOf(role) !== index && `names \`${role}\` twice`, [["roles"]]];
  for (const [section, entries] of Object.entries({ modes, tools }))
    for (const [name, entry] of Object.entries<{ readonly roles?: readonly string[] | undefined }>(entries))
      for (const [index, role] of (entry.roles ?? []).entries()) {
        const fault = !roles.includes(role) && unknownName("role", role, roles, "add it to `roles`");
        yield [[section, name, "roles", index], fault, [["roles"]]];
      }
}

/** A selector cannot set what it selects by, and settings of a single tool cannot be set on a group. */
function settingsRefusedOn(kind: Selector["kind"] | undefined): readonly string[] {
  if (kind === undefined || kind === "name") return [];
  const ofOneTool = ["families", "description", "parameters", "undo", "run"];
  if (kind === "category") return [...ofOneTool, "category"];
  return kind === "class" ? [...ofOneTool, "category", "class"] : ofOneTool;
}

export function* checkGroups({ tools, handshake }: PolicyDocument): Findings {
  for (const [key, settings] of Object.entries(tools)) {
    for (const setting of settingsRefusedOn(selectorKind(key))) {
      const instead = setting === "families" ? "use the document's `families`" : "set it on the tools by name";
      const isSet = Object.hasOwn(settings, setting);
      yield [["tools", key, setting], isSet && `cannot be set on a group of tools, ${instead}`];
    }
    const isHandshake = handshake.select !== "off" && key === handshake.tool;
    const reads = ["select", "tool"].map((setting) => ["handshake", setting]);
    yield [["tools", key], isHandshake && "is the name of the handshake tool, rename one of them", reads];
  }
}

export function* checkSchemas({ tools }: PolicyDocument, work: WorkBudget): Findings {
  for (const [key, { parameters }] of Object.entries(tools))
    for (const { path, message } of parameters === undefined ? [] : schemaFaults(parameters, work))
      yield [["tools", key, "parameters", ...pointerKeys(path)], `not a valid JSON Schema: ${message}`];
}

/** The schema, the roles and the modes of each condition. */
export function* checkConditions({ tools, roles, modes }: PolicyDocument, work: WorkBudget): Findings {
  const knownModes = new Set(["default", ...Object.keys(modes)]);
  for (const [key, { conditions = [] }] of Object.entries(tools))
    for (const [index, condition] of conditions.entries()) {
      const path = ["tools", key, "conditions", index];
      for (const { path: at, message } of schemaFaults(condition.if, work))
        yield [[...path, "if", ...pointerKeys(at)], `not a valid JSON Schema, so no call could be checked: ${message}`];
      for (const [place, role] of (condition.roles ?? []).entries()) {
        const fault = !roles.includes(role) && unknownName("role", role, roles, "add it to `roles`");
        yield [[...path, "roles", place], fault, [["roles"]]];
      }
      for (const [place, mode] of (condition.modes ?? []).entries()) {
        const fault = !knownModes.has(mode) && unknownName("mode", mode, knownModes, "add it to `modes`");
        yield [[...path, "modes", place], fault, [["modes", mode]]];
      }
    }
}

export function* checkPatterns({ intents, detection, injection }: PolicyDocument, work: WorkBudget): Findings {
  const lists: [path: IssuePath, sources: readonly string[]][] = [];
  for (const [name, { patterns }] of Object.entries(intents)) lists.push([["intents", name, "patterns"], patterns]);
  for (const [name, patterns] of Object.entries(injection.custom))
    lists.push([["injection", "custom", name], patterns]);
  for (const [path, sources] of lists)
    for (const [index, source] of sources.entries()) yield [[...path, index], patternFault(source, work)];
  if (detection.extract !== undefined) yield [["detection", "extract"], patternFault(detection.extract, work)];
}

function patternFault(source: string, work: WorkBudget): string | undefined {
  const compiled = compilePattern(source, work);
  return compiled.ok ? undefined : `cannot be used as a pattern: ${compiled.error}`;
}

export function* checkInjectionSets({ injection, tools }: PolicyDocument): Findings {
  const builtIn: readonly string[] = injectionSetNames;
  const known = [...builtIn, ...Object.keys(injection.custom)];
  for (const name of Object.keys(injection.custom))
    yield [["injection", "custom", name], builtIn.includes(name) && "is a built-in set, choose another name"];
  const lists: [path: IssuePath, sets: readonly string[]][] = [[["injection", "sets"], injection.sets]];
  for (const [key, tool] of Object.entries(tools))
    if (tool.injection) lists.push([["tools", key, "injection", "sets"], tool.injection.sets ?? []]);
  for (const [path, sets] of lists)
    for (const [index, set] of sets.entries()) {
      const fault = !known.includes(set) && `unknown set \`${set}\`, use one of ${known.join(", ")}`;
      yield [[...path, index], fault, [["injection", "custom", set]]];
    }
}

/** Settings that ask for a person's answer before a call that has run. */
export function* checkHosted({ allowHosted, tools }: PolicyDocument): Findings {
  const hosted = new Set(allowHosted);
  for (const [key, { confirm, run }] of Object.entries(tools)) {
    if (!isHosted(key)) continue;
    yield [["tools", key, "run"], run !== undefined && "a tool that the provider runs has no `run`, remove it"];
    const fault = `the provider runs \`${key}\` before anybody could be hosted: remove it, or take \`${key}\` out of \`allowHosted\``;
    yield [["tools", key, "confirm"], hosted.has(key) && confirm !== undefined && confirm !== "auto" && fault];
  }
}

export function* checkPassFields({ passFields }: PolicyDocument): Findings {
  for (const [index, name] of passFields.entries()) {
    const twin = governedTwin(name);
    yield [["passFields", index], isGoverned(name) && `the gateway governs \`${name}\`, remove it`];
    const fault = `is another spelling of \`${twin}\`, which the gateway governs: remove it`;
    yield [["passFields", index], twin !== undefined && fault];
  }
}

/** A tool that waits for itself could never be called. */
export function* checkSequences({ tools }: PolicyDocument): Findings {
  for (const [key, { after = [] }] of Object.entries(tools))
    for (const [index, name] of after.entries()) {
      const isCircle = name === key || waitsFor(tools, name, key);
      const fault = `\`${name}\` waits for \`${key}\` itself, so neither could ever be called: remove one of the two`;
      yield [["tools", key, "after", index], isCircle && fault];
    }
}

/** Only by names: any tool of a selector satisfies it. */
function waitsFor(tools: PolicyDocument["tools"], from: string, target: string): boolean {
  const seen = new Set<string>();
  const queue = [from];
  for (const name of queue) {
    if (seen.has(name)) continue;
    seen.add(name);
    const after = (Object.hasOwn(tools, name) && tools[name]?.after) || [];
    if (after.includes(target)) return true;
    queue.push(...after);
  }
  return false;
}
