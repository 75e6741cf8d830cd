/** Warnings about tools: settings without effect, names that nothing lists, and values that leave by the wrong way. Pure. */
import { memberOf, pointerKeys } from "../../../lib/json/json-value.ts";
import { nearestName } from "../../../lib/text/nearest-name.ts";
import { mcpToolName } from "../../mcp-tools.ts";
import { runsProviderTools } from "../../request-fields.ts";
import { selectorKind } from "../../selectors.ts";
import type { IssuePath, WarningCheck, WarningFinding } from "../policy-issue.ts";
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

export const warnRoles: WarningCheck = ({ tools, modes }) =>
  Object.entries({ tools, modes }).flatMap(([section, entries]) =>
    Object.entries<{ readonly roles?: readonly string[] | undefined }>(entries).map(
      ([key, { roles }]): WarningFinding => {
        const text = "is empty, so nobody may use it: name roles, or leave `roles` out to permit all";
        return ["roles_empty", [section, key, "roles"], roles?.length === 0 && text];
      },
    ),
  );

export const warnLimits: WarningCheck = ({ tools, rateLimits }) => {
  const listed = (limits: readonly { readonly max: number }[], ...path: string[]) =>
    limits.map(({ max }, index): WarningFinding => {
      const text = "permits no use at all: to forbid a tool, put it in a mode's `deny`";
      return ["limit_zero", [...path, index, "max"], max <= 0 && text];
    });
  return [
    ...Object.entries(tools).flatMap(([key, tool]) => listed(tool.rateLimits ?? [], "tools", key, "rateLimits")),
    ...Object.entries(rateLimits).flatMap(([key, limits]) => listed(limits, "rateLimits", key)),
  ];
};

/** One note a document: `parameters` do not narrow what a client's tool takes, they withhold it. */
export const warnParameters: WarningCheck = ({ tools }) => {
  const names = Object.keys(tools).filter(
    (key) => selectorKind(key) === "name" && tools[key]?.parameters && !tools[key].run,
  );
  const text = `replace the client's: a client that sends another schema for ${someOf(names)} does not get the tool (\`definition_changed\`)`;
  return names.slice(0, 1).map((first) => ["parameters_replace", ["tools", first, "parameters"], text]);
};

/** Each comparison costs up to a millisecond in a policy of a thousand tools. */
const MAX_COMPARED = 200;

/** Names that `tools` does not list. In modes only what looks like a slip: a mode may name tools that the policy does not list. */
export const warnToolNames: WarningCheck = (document) => {
  const { intents, tools, mcpServers, unlistedTools } = document;
  const warnings: WarningFinding[] = [];
  const servers = Object.keys(mcpServers).map((server) => mcpToolName(server, ""));
  // Only the server knows which tools it has.
  const isUnlisted = (text: string) =>
    selectorKind(text) === "name" && !Object.hasOwn(tools, text) && !servers.some((start) => text.startsWith(start));
  const warn = (path: IssuePath, text: string) => warnings.push(["tool_not_listed", path, text]);
  let compared = 0;
  /** @returns whether a listed name is near. */
  const warnNear = (text: string, path: IssuePath): boolean => {
    const near = compared++ < MAX_COMPARED ? nearestName(text, Object.keys(tools)) : undefined;
    if (near !== undefined) warn(path, `\`${text}\` is not listed in \`tools\`, did you mean \`${near}\`?`);
    return near !== undefined;
  };
  const unlistedText = (names: readonly string[]) => {
    const [are, they, count] = names.length === 1 ? ["is", "it", "counts"] : ["are", "they", "count"];
    const effect =
      unlistedTools === "deny" ? `${they} ${are} never offered` : `${they} ${count} as \`${unlistedTools}\``;
    return `${someOf(names)} ${are} not listed in \`tools\`, so ${effect}: list what you mean, with its category`;
  };
  const far = new Map<string, string[]>();
  for (const { text, path } of selectorsIn(document)) {
    const [section, owner = ""] = path.map(String);
    if ((section !== "modes" && section !== "intents") || !isUnlisted(text) || warnNear(text, path)) continue;
    if (section === "intents") far.set(owner, [...(far.get(owner) ?? []), text]);
  }
  for (const [name, names] of far) warn(["intents", name, "tools"], unlistedText(names));
  for (const [name, { tools: own = [], primaryTool }] of Object.entries(intents)) {
    if (primaryTool === undefined || own.includes(primaryTool) || !isUnlisted(primaryTool)) continue;
    const path = ["intents", name, "primaryTool"];
    if (!warnNear(primaryTool, path)) warn(path, unlistedText([primaryTool]));
  }
  return warnings;
};

export const warnFamilyNames: WarningCheck = (document) => {
  const known = knownFamilies(document);
  return selectorsIn(document).map(({ text, path }): WarningFinding => {
    const family = text.startsWith("family:") ? text.slice("family:".length) : undefined;
    const isUnknown = family !== undefined && !known.has(family);
    return ["family_unknown", path, isUnknown && `no tool is in a family \`${family}\`, check its spelling`];
  });
};

export const warnInjectionSets: WarningCheck = ({ injection, tools }) => {
  const used = new Set([
    ...injection.sets,
    ...Object.values(tools).flatMap((tool) => (tool.injection ? (tool.injection.sets ?? []) : [])),
  ]);
  return Object.keys(injection.custom).map((name): WarningFinding => {
    return ["injection_set_unused", ["injection", "custom", name], !used.has(name) && "is unused: it is in no `sets`"];
  });
};

export const warnPassFields: WarningCheck = ({ passFields }) =>
  passFields.map((name, index): WarningFinding => {
    const text = `has no effect: the gateway sends \`${name}\` on anyway`;
    return ["pass_field_needless", ["passFields", index], !runsProviderTools(name) && text];
  });

/** Names in templates of a disclosure, and pointers of a preview, that the tool's `parameters` do not have. */
export const warnDisclosures: WarningCheck = ({ tools }) =>
  Object.entries(tools).flatMap(([key, { parameters, disclosure = "", preview }]): WarningFinding[] => {
    const properties = memberOf(parameters, "properties");
    if (typeof properties !== "object" || properties === null) return [];
    const has = (name: string) => Object.hasOwn(properties, name);
    const texts = typeof disclosure === "string" ? [disclosure] : Object.values(disclosure);
    // A text with a blank inside is not a reference.
    const names = texts.flatMap((text) => referencesIn(text ?? "")).filter((name) => /^\S{1,200}$/.test(name));
    return [
      ...names.map((name): WarningFinding => {
        const text = `\`parameters\` has no \`${name}\`, so \`{{${name}}}\` stays as it is written`;
        const isKnown = has(name) || has(name.split(".")[0] ?? "");
        return ["disclosure_argument_unknown", ["tools", key, "disclosure"], !isKnown && text];
      }),
      ...(["before", "after"] as const).map((end): WarningFinding => {
        const [first = ""] = pointerKeys(preview?.[end] ?? "");
        const text = "points to no property of `parameters`, so there is no preview";
        return ["preview_property_unknown", ["tools", key, "preview", end], first !== "" && !has(first) && text];
      }),
    ];
  });

const PRIVATE = "has an effect in development only (`npm start`): elsewhere the gateway reaches no private address";

/** Runs and servers that are in force, but perhaps not as their author means them. */
export const warnRuns: WarningCheck = ({ tools, mcpServers }) => [
  ...Object.entries(tools).flatMap(([name, settings]): WarningFinding[] => {
    const { run, parameters, redact = [] } = settings;
    if (!run || run.kind === "mcp") return [];
    const path = ["tools", name];
    const privately: WarningFinding = [
      "private_addresses",
      [...path, "run", "allowPrivate"],
      run.allowPrivate && PRIVATE,
    ];
    if (run.kind !== "http") return [privately];
    const noArguments = "has no `parameters`, so the model can pass no arguments: declare them";
    const inLogs = "records leave it out, but the URL holds it, and servers log URLs: send it in `body`";
    const held = argumentsInUrl(run, declaredNames(parametersOf(name, settings) ?? {}));
    return [
      privately,
      ["parameters_missing", path, parameters === undefined && noArguments],
      ...redact.map((text, index): WarningFinding => {
        return ["redacted_in_url", [...path, "redact", index], held.some((keys) => isRedacted(keys, text)) && inLogs];
      }),
    ];
  }),
  ...Object.entries(mcpServers).flatMap(([name, server]): WarningFinding[] => {
    const trusted =
      "lets the server decide which of its tools need no question: set the `category` of those that matter";
    return [
      ["private_addresses", ["mcpServers", name, "allowPrivate"], server.allowPrivate && PRIVATE],
      ["annotations_trusted", ["mcpServers", name, "trustAnnotations"], server.trustAnnotations && trusted],
    ];
  }),
];

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
