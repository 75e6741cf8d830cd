/** What a document's intents must hold beyond their shape: tools and intents that exist. Pure. */
import { once } from "../lib/once.ts";
import { compilePolicy } from "./compile.ts";
import type { PolicyDocument } from "./document-schema.ts";
import { effectiveIntents } from "./intent-guard/effective-intents.ts";
import type { Report } from "./policy-issue.ts";
import { compileSelectors } from "./selectors.ts";
import { permittedBy, traitsOf } from "./traits.ts";

export function checkIntents(document: PolicyDocument, report: Report): void {
  // Once a document, and only where a tool is named by a selector.
  const compiled = once(() => compilePolicy(document, ""));
  for (const [name, { tools, primaryTool }] of Object.entries(document.intents)) {
    if (primaryTool === undefined || tools === undefined) continue;
    if (!tools.includes(primaryTool) && !isSelected(compiled(), tools, primaryTool)) {
      report(["intents", name, "primaryTool"], `\`${primaryTool}\` is not among the intent's \`tools\`, add it`);
    }
  }
  const { fallback } = document.detection;
  if (fallback !== undefined && !Object.hasOwn(effectiveIntents(document), fallback)) {
    report(["detection", "fallback"], `unknown intent \`${fallback}\`, add it to \`intents\``);
  }
}

/** By a selector that is not its name: `family:…` and the others mean what they mean where the rules read them. */
function isSelected(compiled: ReturnType<typeof compilePolicy>, tools: readonly string[], name: string): boolean {
  // What cannot be compiled has errors of its own, and this may follow from them.
  return !compiled.ok || permittedBy(compileSelectors(tools), traitsOf(compiled.value, name));
}
