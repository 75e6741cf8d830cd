/** Warnings about tools: settings without effect, names that nothing lists, and values sent the wrong way. Pure. */
import { memberOf, pointerKeys } from "../../../lib/json/json-value.ts";
import { nearestName } from "../../../lib/text/nearest-name.ts";
import { WorkSpent, workBudget } from "../../../lib/work-budget.ts";
import { compileSchema } from "../../arguments/argument-schema.ts";
import { isHosted } from "../../hosted.ts";
import { mcpToolName } from "../../mcp-tools.ts";
import { runsProviderTools } from "../../request-fields.ts";
import { categories, matchesGlob, parseSelector, selectorKind } from "../../selectors.ts";
import type { PolicyDocument } from "../document-schema.ts";
import type { Warnings } from "../policy-issue.ts";
import { referencesIn } from "../request-template.ts";
import type { HttpRun } from "../run-parts.ts";
import { declaredNames, parametersOf } from "./declared-arguments.ts";
import { knownFamilies } from "./intent-checks.ts";
import { selectorsIn } from "./name-checks.ts";

/** Names in one warning; the others are counted. */
const MAX_NAMED = 5;

export function someOf(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).map((name) => `\`${name}\``);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

export function* warnRoles({ tools, modes }: PolicyDocument): Warnings {
  const text = "is empty, so nobody may use it: name roles, or leave `roles` out to permit all";
  for (const [section, entries] of Object.entries({ tools, modes }))
    for (const [key, { roles }] of Object.entries<{ readonly roles?: readonly string[] | undefined }>(entries))
      yield ["roles_empty", [section, key, "roles"], roles?.length === 0 && text];
}

export function* warnLimits({ tools, rateLimits }: PolicyDocument): Warnings {
  const lists: [path: string[], limits: readonly { readonly max: number }[]][] = [];
  for (const [key, tool] of Object.entries(tools)) lists.push([["tools", key, "rateLimits"], tool.rateLimits ?? []]);
  for (const [key, limits] of Object.entries(rateLimits)) lists.push([["rateLimits", key], limits]);
  for (const [key, { atMost = {} }] of Object.entries(tools))
    for (const [per, max] of Object.entries(atMost)) lists.push([["tools", key, "atMost", per], [{ max: max ?? 1 }]]);
  const text = "permits no use at all: to forbid a tool, put it in a mode's `deny`";
  for (const [path, limits] of lists)
    for (const [index, { max }] of limits.entries()) {
      const at = path.includes("atMost") ? path : [...path, index, "max"];
      yield ["limit_zero", at, max <= 0 && text];
    }
}

/** One note for a document: `parameters` do not narrow the arguments of a client's tool, they withhold it. */
export function* warnParameters({ tools }: PolicyDocument): Warnings {
  const names = Object.keys(tools).filter(
    (key) => selectorKind(key) === "name" && tools[key]?.parameters && !tools[key].run,
  );
  const text = `replace the client's: a client that sends another schema for ${someOf(names)} does not get the tool (\`definition_changed\`)`;
  for (const first of names.slice(0, 1)) yield ["parameters_replace", ["tools", first, "parameters"], text];
}

/** Each comparison costs up to a millisecond in a policy of a thousand tools. */
const MAX_COMPARED = 200;

/** Names that `tools` does not list. In modes only probable misspellings: a mode may name tools that the policy does not list. */
export function* warnToolNames(document: PolicyDocument): Warnings {
  const { intents, tools, mcpServers } = document;
  const listed = Object.keys(tools);
  // Only the server knows which tools it has.
  const servers = Object.keys(mcpServers).map((server) => mcpToolName(server, ""));
  const isUnlisted = (text: string) =>
    selectorKind(text) === "name" && !listed.includes(text) && !servers.some((start) => text.startsWith(start));
  const named = [...selectorsIn(document)].filter(
    ({ path }) => path[0] === "intents" || path[0] === "modes" || (path[0] === "tools" && path.length > 2),
  );
  for (const [name, { tools: own = [], primaryTool }] of Object.entries(intents))
    if (primaryTool !== undefined && !own.includes(primaryTool))
      named.push({ text: primaryTool, path: ["intents", name, "primaryTool"] });
  const far = new Map<string, string[]>();
  let compared = 0;
  for (const { text, path } of named.filter(({ text }) => isUnlisted(text))) {
    const near = compared++ < MAX_COMPARED ? nearestName(text, listed) : undefined;
    const [section, name = "", field] = path.map(String);
    if (near !== undefined)
      yield ["tool_not_listed", path, `\`${text}\` is not listed in \`tools\`, did you mean \`${near}\`?`];
    else if (field === "primaryTool" || section === "tools")
      yield ["tool_not_listed", path, unlistedText(document, [text])];
    else if (section === "intents") far.set(name, [...(far.get(name) ?? []), text]);
  }
  for (const [name, names] of far) yield ["tool_not_listed", ["intents", name, "tools"], unlistedText(document, names)];
}

function unlistedText({ unlistedTools }: PolicyDocument, names: readonly string[]): string {
  const [are, they, count] = names.length === 1 ? ["is", "it", "counts"] : ["are", "they", "count"];
  const effect = unlistedTools === "deny" ? `${they} ${are} never offered` : `${they} ${count} as \`${unlistedTools}\``;
  return `${someOf(names)} ${are} not listed in \`tools\`, so ${effect}: list what you mean, with its category`;
}

export function* warnFamilyNames(document: PolicyDocument): Warnings {
  const known = knownFamilies(document);
  for (const { text, path } of selectorsIn(document)) {
    const [, family] = /^family:(.*)/.exec(text) ?? [];
    const isUnknown = family !== undefined && !known.has(family);
    yield ["family_unknown", path, isUnknown && `no tool is in a family \`${family}\`, check its spelling`];
  }
}

export function* warnInjectionSets({ injection, tools }: PolicyDocument): Warnings {
  const used = new Set(injection.sets);
  for (const tool of Object.values(tools))
    if (tool.injection) for (const set of tool.injection.sets ?? []) used.add(set);
  for (const name of Object.keys(injection.custom))
    yield ["injection_set_unused", ["injection", "custom", name], !used.has(name) && "is unused: it is in no `sets`"];
}

export function* warnPassFields({ passFields }: PolicyDocument): Warnings {
  for (const [index, name] of passFields.entries()) {
    const text = `has no effect: the gateway sends \`${name}\` on anyway`;
    yield ["pass_field_needless", ["passFields", index], !runsProviderTools(name) && text];
  }
}

/** Settings that loosen, in a group of which `tools` lists no tool: the name of an unlisted tool does not show what it does. */
export function* warnLooseGroups({ tools, unlistedTools }: PolicyDocument): Warnings {
  const names = Object.keys(tools).filter((key) => selectorKind(key) === "name");
  const unlisted = categories.find((category) => category === unlistedTools) ?? "modification";
  for (const [key, settings] of Object.entries(tools)) {
    const selector = parseSelector(key);
    if (!selector.ok || (selector.value.kind !== "all" && selector.value.kind !== "glob")) continue;
    const { value } = selector;
    if (names.some((name) => value.kind === "all" || matchesGlob(value.pieces, name))) continue;
    const { category, class: toolClass, trusted = false, directory, reversible } = settings;
    const loose = {
      category: category !== undefined && categories.indexOf(category) <= categories.indexOf(unlisted),
      class: toolClass === "safe",
      trusted: trusted !== false,
      directory: directory === true,
      reversible: reversible === true,
    };
    const text = `has no effect: \`tools\` lists no tool that \`${key}\` selects, and a tool that is not listed gets no freedom from a group. List the tools by their names`;
    for (const [member, isLoose] of Object.entries(loose))
      yield ["setting_without_effect", ["tools", key, member], isLoose && text];
  }
}

/** Settings of a hosted tool that are too late: its calls have run before the gateway sees them. */
export function* warnHosted({ allowHosted, tools }: PolicyDocument): Warnings {
  const allowed = new Set(allowHosted);
  const late = [
    "rateLimits",
    "conditions",
    "arguments",
    "parameters",
    "injection",
    "after",
    "neverAfter",
    "atMost",
  ] as const;
  for (const [key, settings] of Object.entries(tools)) {
    if (!isHosted(key)) continue;
    const unlisted = `has no effect: \`${key}\` is not in \`allowHosted\`, so no request may have it`;
    yield ["hosted_not_allowed", ["tools", key], !allowed.has(key) && unlisted];
    for (const name of late) {
      const text = "does not stop a call: the provider runs it before the gateway knows of it";
      yield ["hosted_unvetted", ["tools", key, name], settings[name as keyof typeof settings] !== undefined && text];
    }
  }
}

/** Names in templates of a disclosure, and pointers of a preview, that the tool's `parameters` do not have. */
export function* warnDisclosures({ tools }: PolicyDocument): Warnings {
  for (const [key, { parameters, disclosure = "", preview }] of Object.entries(tools)) {
    const properties = memberOf(parameters, "properties");
    if (typeof properties !== "object" || properties === null) continue;
    const has = (name: string) => Object.hasOwn(properties, name);
    const texts = typeof disclosure === "string" ? [disclosure] : Object.values(disclosure);
    for (const name of texts.flatMap((text) => referencesIn(text ?? ""))) {
      // A text with a blank inside is not a reference.
      const isKnown = has(name) || has(name.split(".")[0] ?? "") || !/^\S{1,200}$/.test(name);
      const text = `\`parameters\` has no \`${name}\`, so \`{{${name}}}\` stays as it is written`;
      yield ["disclosure_argument_unknown", ["tools", key, "disclosure"], !isKnown && text];
    }
    for (const end of ["before", "after"] as const) {
      const [first = ""] = pointerKeys(preview?.[end] ?? "");
      const text = "points to no property of `parameters`, so there is no preview";
      yield ["preview_property_unknown", ["tools", key, "preview", end], first !== "" && !has(first) && text];
    }
  }
}

const PRIVATE = "has an effect in development only (`npm start`): elsewhere the gateway reaches no private address";

/** Runs and servers that work, but perhaps not as their author means. */
export function* warnRuns({ tools, mcpServers }: PolicyDocument): Warnings {
  for (const [name, settings] of Object.entries(tools)) {
    const { run, parameters, redact = [] } = settings;
    if (!run || run.kind === "mcp") continue;
    const path = ["tools", name];
    yield ["private_addresses", [...path, "run", "allowPrivate"], run.allowPrivate && PRIVATE];
    if (run.kind !== "http") continue;
    const noArguments = "has no `parameters`, so the model can pass no arguments: declare them";
    yield ["parameters_missing", path, parameters === undefined && noArguments];
    const held = argumentsInUrl(run, declaredNames(parametersOf(name, settings) ?? {}));
    const inLogs = "records leave it out, but the URL holds it, and servers log URLs: send it in `body`";
    for (const [index, text] of redact.entries())
      yield ["redacted_in_url", [...path, "redact", index], held.some((keys) => isRedacted(keys, text)) && inLogs];
  }
  for (const [name, server] of Object.entries(mcpServers)) {
    const path = ["mcpServers", name];
    yield ["private_addresses", [...path, "allowPrivate"], server.allowPrivate && PRIVATE];
    const text = "lets the server decide which of its tools need no question: set the `category` of those that matter";
    yield ["annotations_trusted", [...path, "trustAnnotations"], server.trustAnnotations && text];
  }
}

/** Paths of the arguments that the URL holds. */
function argumentsInUrl({ method, url, query, body }: HttpRun, declared: readonly string[]): readonly string[][] {
  const named = [url, ...Object.values(query ?? {})]
    .flatMap(referencesIn)
    .flatMap((reference) => (reference.startsWith("arguments.") ? [reference.split(".").slice(1)] : []));
  const holdsAll = query === undefined && (method === "GET" || (method === "DELETE" && body === undefined));
  return holdsAll ? [...named, ...declared.map((name) => [name])] : named;
}

/** A name redacts at any depth, a path from the root down (`lib/redact.ts`). */
function isRedacted(keys: readonly string[], text: string): boolean {
  if (keys.includes(text)) return true;
  const route = text.startsWith("/") ? text.slice(1).split("/") : text.split(".");
  const isPath = text.startsWith("/") || route.length > 1;
  return isPath && route.slice(0, keys.length).every((step, index) => step === keys[index] || step === "*");
}

/** A user's message may hold redacted values before any call does. */
export function* warnMessages({ tools, audit }: PolicyDocument): Warnings {
  const hiding = Object.keys(tools).filter((key) => (tools[key]?.redact ?? []).length > 0);
  const why = audit.logToolCalls ? `arguments of ${someOf(hiding)} are redacted` : "`logToolCalls` is off";
  const text = `keeps no message: ${why}, and a message may hold the same values`;
  for (const key of ["logMessages", "logMissedMessages"] as const)
    yield ["setting_without_effect", ["audit", key], audit[key] && (hiding.length > 0 || !audit.logToolCalls) && text];
}

/** Conditions that do not say what their author seems to mean. */
export function* warnConditions({ tools }: PolicyDocument): Warnings {
  for (const [key, { conditions = [], parameters }] of Object.entries(tools)) {
    const declared = memberOf(parameters, "properties") ? new Set(declaredNames(parameters ?? {})) : undefined;
    const required: unknown = memberOf(parameters, "required");
    const always = new Set(Array.isArray(required) ? required : []);
    for (const [index, { if: schema }] of conditions.entries()) {
      const path = ["tools", key, "conditions", index, "if"];
      const named = declaredNames(schema);
      const unknown = declared ? named.filter((name) => !declared.has(name)) : [];
      const noSuch = `looks at ${someOf(unknown)}, which \`parameters\` does not have: check the spelling`;
      yield ["condition_argument_unknown", path, unknown.length > 0 && noSuch];
      const absent = unknown.length > 0 ? [] : named.filter((name) => !always.has(name));
      const isVacuous = absent.length > 0 && matchesNothing(schema);
      const vacuous = `also holds for calls without ${someOf(absent)}: name what must be there in \`required\``;
      yield ["condition_without_required", path, isVacuous && vacuous];
    }
  }
}

/** Whether a call without arguments matches. A schema that is too costly to try is not warned about. */
function matchesNothing(schema: unknown): boolean {
  try {
    const work = workBudget();
    const compiled = compileSchema(schema, work);
    const matches = compiled.ok ? compiled.value.matches({}, work) : compiled;
    return matches.ok && matches.value;
  } catch (error) {
    if (error instanceof WorkSpent) return false;
    throw error;
  }
}
