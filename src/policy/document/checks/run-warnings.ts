/** What is in force, but perhaps not as its writer means it. Pure. */
import type { PolicyDocument } from "../document-schema.ts";
import type { Warn } from "../policy-issue.ts";
import type { HttpRun } from "../run-parts.ts";
import { declaredNames, parametersOf } from "./declared.ts";
import { referencesIn } from "./references.ts";

const PRIVATE =
  "counts only where the gateway runs for development (`npm start`): elsewhere no private address is reached";

export function warnRuns(document: PolicyDocument, warn: Warn): void {
  for (const [name, settings] of Object.entries(document.tools)) {
    const { run, parameters, redact = [] } = settings;
    if (!run) continue;
    const path = ["tools", name];
    if (run.kind !== "mcp" && run.allowPrivate) warn("private_addresses", [...path, "run", "allowPrivate"], PRIVATE);
    if (run.kind !== "http") continue;
    if (parameters === undefined)
      warn("parameters_missing", path, "has no `parameters`, so the model can tell it nothing: declare what it takes");
    const held = inUrl(run, declaredNames(parametersOf(name, settings) ?? {}));
    for (const [index, text] of redact.entries()) {
      if (held.some((steps) => isRedacted(steps, text)))
        warn(
          "redacted_in_url",
          [...path, "redact", index],
          "is left out of records here, but the URL holds it, and servers write URLs into their logs: send it in `body`",
        );
    }
  }
  for (const [name, server] of Object.entries(document.mcpServers)) {
    const path = ["mcpServers", name];
    if (server.allowPrivate) warn("private_addresses", [...path, "allowPrivate"], PRIVATE);
    if (server.trustAnnotations)
      warn(
        "annotations_trusted",
        [...path, "trustAnnotations"],
        "the server itself then says which of its tools need no question: set `category` by name for those that matter",
      );
  }
}

/** Paths of the arguments that the URL holds. */
function inUrl({ method, url, query, body }: HttpRun, declared: readonly string[]): readonly (readonly string[])[] {
  const named = [url, ...Object.values(query ?? {})]
    .flatMap(referencesIn)
    .flatMap((reference) => (reference.startsWith("arguments.") ? [reference.split(".").slice(1)] : []));
  const takesRest = query === undefined && (method === "GET" || (method === "DELETE" && body === undefined));
  return takesRest ? [...named, ...declared.map((name) => [name])] : named;
}

/** A name redacts at any depth, a path from the root down (`lib/redact.ts`). */
function isRedacted(steps: readonly string[], text: string): boolean {
  if (steps.includes(text)) return true;
  const route = text.startsWith("/") ? text.slice(1).split("/") : text.split(".");
  return route.length > 1 || text.startsWith("/")
    ? route.slice(0, steps.length).every((step, index) => step === steps[index] || step === "*")
    : false;
}
