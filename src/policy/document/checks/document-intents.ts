/** What a document's intents must hold beyond their shape: tools and intents that exist. Pure. */

import { once } from "../../../lib/once.ts";
import { nearestName } from "../../../lib/text/nearest-name.ts";
import { type CompiledPolicy, compilePolicy } from "../../compile.ts";
import { effectiveIntents } from "../../intent-guard/effective-intents.ts";
import { compileSelectors, parseSelector } from "../../selectors.ts";
import { permittedBy, traitsOf } from "../../traits.ts";
import type { PolicyDocument } from "../document-schema.ts";
import type { ReadPath, Report } from "../policy-issue.ts";

export function checkIntents(document: PolicyDocument, report: Report): void {
  const policy = once(() => compileForTraits(document));
  for (const [name, { tools, primaryTool }] of Object.entries(document.intents)) {
    if (primaryTool === undefined || tools === undefined) continue;
    // One that cannot be read has an error of its own, and may be meant for the primary tool.
    if (tools.some((text) => !parseSelector(text).ok)) continue;
    if (tools.includes(primaryTool) || isSelected(policy(), tools, primaryTool)) continue;
    report(["intents", name, "primaryTool"], `\`${primaryTool}\` is not among the intent's \`tools\`, add it`, [
      ["intents", name, "tools"],
      ...(tools.every(isName) ? [] : readForTraits(primaryTool)),
    ]);
  }
  const { fallback } = document.detection;
  const intents = effectiveIntents(document);
  if (fallback === undefined || Object.hasOwn(intents, fallback)) return;
  const near = nearestName(fallback, Object.keys(intents));
  report(
    ["detection", "fallback"],
    `unknown intent \`${fallback}\`, ${near === undefined ? "add it to `intents`" : `did you mean \`${near}\`?`}`,
    [
      ["intents", fallback],
      ["intentGuard", "enabled"],
    ],
  );
}

const isName = (text: string): boolean => {
  const selector = parseSelector(text);
  return selector.ok && selector.value.kind === "name";
};

/** What a tool's category, class and families follow from: its own settings, those of groups, and families. */
function readForTraits(tool: string): readonly ReadPath[] {
  const settings = (key: string) => key === tool || !isName(key);
  const own = ["category", "class", "families"].map((setting) => ["tools", settings, setting]);
  return [...own, ["families"], ["unlistedTools"], ["intentGuard", "enabled"]];
}

/** Without what plays no part in it and may have errors of its own. */
function compileForTraits(document: PolicyDocument): CompiledPolicy | undefined {
  const tools = Object.entries(document.tools).filter(([key]) => parseSelector(key).ok);
  const injection = { ...document.injection, custom: {} };
  const compiled = compilePolicy({ ...document, tools: Object.fromEntries(tools), rateLimits: {}, injection }, "");
  return compiled.ok ? compiled.value : undefined;
}

/** By a selector that is not its name: `family:…` and the others mean what they mean where the rules read them. */
const isSelected = (policy: CompiledPolicy | undefined, tools: readonly string[], name: string): boolean =>
  policy === undefined || permittedBy(compileSelectors(tools), traitsOf(policy, name));
