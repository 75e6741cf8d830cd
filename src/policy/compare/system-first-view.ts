/** For whom an intent's call is the system's, as a person reads it in a comparison: the policy's settings and its own, put together. Pure. */

import { isManaged, isSystemFirst } from "../document/checks/intent-warnings.ts";
import type { PolicyDocument } from "../document/document-schema.ts";
import type { CompiledIntent } from "../intents.ts";
import type { JsonFields } from "./json-fields.ts";

/** As `systemFirst`: who no longer asks the model is what whoever replaces a policy must see. Empty where nobody's is. */
export function systemFirstView(document: PolicyDocument, intent: CompiledIntent | undefined): JsonFields {
  const { primaryTool: tool, execution } = intent ?? {};
  if (tool === undefined || !execution || !isSystemFirst(execution) || !isManaged(document, tool)) return {};
  if (document.handshake.select === "model") return {};
  const { strategy, systemFirstShare } = execution;
  const all = strategy === "system_first" || systemFirstShare >= 1;
  const whom = all ? "every user" : `${Number((100 * systemFirstShare).toPrecision(3))} % of users`;
  return { systemFirst: `${tool} for ${whom}` };
}
