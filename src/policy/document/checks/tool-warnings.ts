/** Settings of tools that let nobody use them, and names of tools that the policy does not list. Pure. */
import { nearestName } from "../../../lib/text/nearest-name.ts";
import { parseSelector } from "../../selectors.ts";
import type { PolicyDocument } from "../document-schema.ts";
import type { IssuePath, Warn } from "../policy-issue.ts";
import { offeredName } from "./mcp-names.ts";

/** Tools that one warning names; the others are counted. */
const MAX_NAMED = 5;
/** Each costs up to a millisecond in a policy of a thousand tools. */
const MAX_COMPARED = 200;

export function warnTools(document: PolicyDocument, warn: Warn): void {
  for (const section of ["tools", "modes"] as const) {
    for (const [key, { roles }] of Object.entries(document[section])) {
      if (roles?.length !== 0) continue;
      const message = "is empty, so nobody may use it: name roles, or leave `roles` out for all of them";
      warn("roles_empty", [section, key, "roles"], message);
    }
  }
  for (const [key, { rateLimits }] of Object.entries(document.tools))
    warnLimits(rateLimits ?? [], ["tools", key, "rateLimits"], warn);
  for (const [key, limits] of Object.entries(document.rateLimits)) warnLimits(limits, ["rateLimits", key], warn);
  warnReplaced(document, warn);
  warnNames(document, warn);
}

function warnLimits(limits: readonly { readonly max: number }[], path: IssuePath, warn: Warn): void {
  limits.forEach(({ max }, index) => {
    if (max > 0) return;
    const message = "permits no use at all: to keep a tool from everybody, put it in a mode's `deny`";
    warn("limit_zero", [...path, index, "max"], message);
  });
}

/** One note a document: `parameters` do not narrow what a client's tool takes, they withhold it. */
function warnReplaced({ tools }: PolicyDocument, warn: Warn): void {
  const names = Object.keys(tools).filter((key) => {
    const selector = parseSelector(key);
    return selector.ok && selector.value.kind === "name" && tools[key]?.parameters && !tools[key].run;
  });
  const [first] = names;
  if (first === undefined) return;
  const message = `take the place of the client's: a client that sends another schema for ${named(names)} is refused the tool (\`definition_changed\`)`;
  warn("parameters_replace", ["tools", first, "parameters"], message);
}

function warnNames(document: PolicyDocument, warn: Warn): void {
  const listed = Object.keys(document.tools);
  let compared = 0;
  const warnNear: WarnNear = (text, path) => {
    const near = compared++ < MAX_COMPARED ? nearestName(text, listed) : undefined;
    if (near === undefined) return false;
    warn("tool_not_listed", path, `\`${text}\` is not listed in \`tools\`, did you mean \`${near}\`?`);
    return true;
  };
  for (const [name, { tools = [], primaryTool }] of Object.entries(document.intents)) {
    const path = ["intents", name, "tools"];
    const unlisted = unlistedFar(document, tools, path, warnNear);
    if (unlisted.length > 0) warn("tool_not_listed", path, unlistedText(document, unlisted));
    if (primaryTool === undefined || tools.includes(primaryTool) || !isUnlistedName(document, primaryTool)) continue;
    const place = ["intents", name, "primaryTool"];
    if (!warnNear(primaryTool, place)) warn("tool_not_listed", place, unlistedText(document, [primaryTool]));
  }
  // A mode may name tools that the policy does not list; only what looks like a slip is worth a warning.
  for (const [name, { allow, deny }] of Object.entries(document.modes)) {
    unlistedFar(document, allow, ["modes", name, "allow"], warnNear);
    unlistedFar(document, deny, ["modes", name, "deny"], warnNear);
  }
}

/** Whether the name is near one that is listed, and its author was warned. */
type WarnNear = (text: string, path: IssuePath) => boolean;

/** The names that are not listed and near none that is. */
const unlistedFar = (document: PolicyDocument, texts: readonly string[], path: IssuePath, warnNear: WarnNear) =>
  texts.filter((text, index) => isUnlistedName(document, text) && !warnNear(text, [...path, index]));

function isUnlistedName({ tools, mcpServers }: PolicyDocument, text: string): boolean {
  const selector = parseSelector(text);
  if (!selector.ok || selector.value.kind !== "name" || Object.hasOwn(tools, text)) return false;
  // Which tools a server has only the server knows.
  return !Object.keys(mcpServers).some((server) => text.startsWith(offeredName(server, "")));
}

function unlistedText({ unlistedTools }: PolicyDocument, names: readonly string[]): string {
  const [are, they, count] = names.length === 1 ? ["is", "it", "counts"] : ["are", "they", "count"];
  const outcome =
    unlistedTools === "deny" ? `${they} ${are} never offered` : `${they} ${count} as \`${unlistedTools}\``;
  return `${named(names)} ${are} not listed in \`tools\`, so ${outcome}: list what you mean, with its category`;
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).map((name) => `\`${name}\``);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}
