/** What the templates of a request may stand for, by where they stand. Pure. */
import type { IssuePath, ReadPath, Report } from "../policy-issue.ts";
import { declares, type Schema } from "./declared.ts";
import { isSecret, referencesIn, withoutReferences } from "./references.ts";

export interface Standing {
  /** Secrets leave in headers alone: a URL is written into logs, and a body is answered with. */
  readonly place: "headers" | "url" | "body";
  /** Of the call's arguments; undefined where there are none to name: an MCP server's headers are the same for all its tools. */
  readonly parameters?: Schema | undefined;
  /** What the gateway fills in, by name. */
  readonly system: Readonly<Record<string, string>>;
  /** Whether there is a provider whose token it could be. */
  readonly connected: boolean;
  /** Where the document says which arguments there are, and which provider. */
  readonly reads: { readonly arguments: readonly ReadPath[]; readonly connection: readonly ReadPath[] };
}

/** The name of a secret, as settings spell it. */
const SECRET_NAME = /^secret\.[A-Z][A-Z0-9_]{0,63}$/;

export function checkTemplate(text: string, standing: Standing, path: IssuePath, report: Report): void {
  if (/\{\{|\}\}/.test(withoutReferences(text, ""))) report(path, "holds `{{` or `}}` that is no template");
  for (const reference of referencesIn(text)) {
    const secret = isSecret(reference);
    const fault = secret ? secretFault(reference, standing) : argumentFault(reference, standing);
    if (fault !== undefined) report(path, fault, secret ? standing.reads.connection : standing.reads.arguments);
  }
}

function secretFault(reference: string, { place, connected }: Standing): string | undefined {
  if (place !== "headers") return `\`{{${reference}}}\` can stand in \`headers\` alone`;
  if (reference === "connection.token") {
    return connected ? undefined : "`{{connection.token}}` needs a `connection`: say whose token it is";
  }
  return SECRET_NAME.test(reference)
    ? undefined
    : `\`{{${reference}}}\` names no secret: 1 to 64 capital letters, digits or \`_\`, a letter first`;
}

function argumentFault(reference: string, { place, parameters, system }: Standing): string | undefined {
  const [source, ...steps] = reference.split(".");
  const [name = ""] = steps;
  if ((source !== "arguments" && source !== "system") || steps.length === 0 || steps.includes(""))
    return `\`{{${reference}}}\` stands for nothing, use \`{{arguments.…}}\` or \`{{system.…}}\`, in headers \`{{secret.…}}\` or \`{{connection.token}}\``;
  if (parameters === undefined) return `\`{{${reference}}}\` cannot stand there: it is the same for every call`;
  const isSystem = Object.hasOwn(system, name);
  if (place === "url" && isSystem && system[name] === "connection.token")
    return `\`{{${reference}}}\` is the user's token, which cannot stand in a URL: send it in \`headers\``;
  if (isSystem && steps.length === 1) return undefined;
  if (source === "system") return `\`{{${reference}}}\` is not in the run's \`system\``;
  return declares(parameters, steps) ? undefined : `\`{{${reference}}}\` is not declared by the tool's \`parameters\``;
}
