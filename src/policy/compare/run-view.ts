/** How a tool is run, as a person reads it in a comparison: its members one by one, and first what it reaches. Pure. */
import { hostOf } from "../../lib/host.ts";
import { secretsIn } from "../document/checks/references.ts";
import type { RunSettings } from "../document/run-parts.ts";
import type { JsonFields } from "./json-fields.ts";

/** Each by its name in the document, as `run.url`; `run.host` and `run.secrets` are what these come to. */
export function runView(run: RunSettings | undefined): JsonFields {
  if (run === undefined) return {};
  const members = Object.entries(run).map(([name, value]) => [`run.${name}`, value] as const);
  const reach =
    run.kind === "mcp" ? {} : { "run.host": run.url && hostOf(run.url), "run.secrets": secretsIn(run.headers) };
  return { ...Object.fromEntries(members), ...reach };
}
