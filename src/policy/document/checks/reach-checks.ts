/** Checks of a request to another server: its URL, its hosts, its headers and the templates in them. Pure. */
import { hostOf, isSameHost, listedHost } from "../../../lib/host.ts";
import type { JsonSchema } from "../../../lib/json/json-schema.ts";
import type { Findings, IssuePath, ReadPath } from "../policy-issue.ts";
import {
  isConnectionHeader,
  isHeaderName,
  isHeaderText,
  isSecret,
  referencesIn,
  withoutReferences,
} from "../request-template.ts";
import { declares } from "./declared-arguments.ts";

interface Reach {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly allowHosts?: readonly string[] | undefined;
  readonly allowPrivate: boolean;
}

/** The values that templates of a request may name. */
export interface TemplateContext {
  /** The schema of the call's arguments; absent if no argument may be named: an MCP server's headers are the same for all its tools. */
  readonly parameters?: JsonSchema | undefined;
  /** The arguments that the gateway sets. */
  readonly system: Readonly<Record<string, string>>;
  /** Whether a provider is named for `connection.token`. */
  readonly connected: boolean;
  /** The parts of the document that give the arguments and the provider. */
  readonly reads: { readonly arguments: readonly ReadPath[]; readonly connection: readonly ReadPath[] };
}

export function* checkReach(reach: Reach, context: TemplateContext, path: IssuePath): Findings {
  yield [[...path, "url"], urlFault(reach), [[...path, "allowPrivate"]]];
  yield* checkTemplate(reach.url, "url", context, [...path, "url"]);
  yield* checkHosts(reach, path);
  yield* checkHeaders(reach.headers, context, [...path, "headers"]);
}

function urlFault({ url, allowPrivate }: Reach): string | undefined {
  const [, scheme, authority = ""] = /^(https?):\/\/([^/?#\\]*)/i.exec(url) ?? [];
  const rest = withoutReferences(url, "x");
  if (scheme === undefined) return "must begin with `https://` and a host";
  if (scheme.toLowerCase() === "http" && !allowPrivate)
    return "plain http is not encrypted, use `https://` (http needs `allowPrivate`)";
  if (/\{\{|\}\}/.test(authority))
    return "the host cannot hold a template: its value would choose where the request goes";
  if (authority.includes("@")) return "holds a user or password, send them in `headers`";
  if (rest.includes("#")) return "holds a fragment, which is never sent";
  if (/[\s\\]/.test(rest)) return "holds a blank or a backslash, write it percent-encoded";
  return hostOf(url) === undefined || !URL.canParse(rest) ? "is not a URL" : undefined;
}

function* checkHosts({ url, allowHosts }: Reach, path: IssuePath): Findings {
  if (allowHosts === undefined) return;
  const host = hostOf(url);
  const listed = allowHosts.map((entry) => listedHost(entry, /^http:/i.test(url) ? "http:" : "https:"));
  for (const [index, one] of listed.entries()) {
    const isHost = one !== undefined && !one.includes("*");
    const fault = "is not a host, write one such as `crm.example.com`, with its port if it has one";
    yield [[...path, "allowHosts", index], !isHost && fault];
  }
  const isListed = host === undefined || listed.some((one) => one !== undefined && isSameHost(one, host));
  yield [[...path, "url"], !isListed && `\`${host}\` is not among \`allowHosts\``, [[...path, "allowHosts"]]];
}

function* checkHeaders(headers: Reach["headers"], context: TemplateContext, path: IssuePath): Findings {
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const at = [...path, name];
    if (!isHeaderName(name)) yield [at, "is not the name of a header"];
    else if (isConnectionHeader(name)) yield [at, "belongs to the connection, which the gateway makes: leave it out"];
    else if (seen.has(name.toLowerCase())) yield [at, "is given twice, in another spelling"];
    seen.add(name.toLowerCase());
    if (!isHeaderText(withoutReferences(value, "")))
      yield [at, "holds a line break or a character that is not Latin-1, which no header can"];
    yield* checkTemplate(value, "headers", context, at);
  }
}

/** Secrets leave in headers only: URLs are written into logs, and bodies are echoed in answers. */
type RequestPart = "headers" | "url" | "body";

export function* checkTemplate(text: string, part: RequestPart, context: TemplateContext, path: IssuePath): Findings {
  const { reads } = context;
  if (/\{\{|\}\}/.test(withoutReferences(text, ""))) yield [path, "holds `{{` or `}}` that belongs to no template"];
  for (const reference of referencesIn(text))
    if (isSecret(reference)) yield [path, secretFault(reference, part, context), reads.connection];
    else yield [path, argumentFault(reference, part, context), reads.arguments];
}

function secretFault(reference: string, part: RequestPart, { connected }: TemplateContext): string | false {
  if (part !== "headers") return `\`{{${reference}}}\` can stand in \`headers\` only`;
  if (reference === "connection.token")
    return !connected && "`{{connection.token}}` needs a `connection` that names the provider";
  const isName = /^secret\.[A-Z][A-Z0-9_]{0,63}$/.test(reference);
  return (
    !isName && `\`{{${reference}}}\` is not a secret's name: 1 to 64 capital letters, digits or \`_\`, a letter first`
  );
}

function argumentFault(reference: string, part: RequestPart, { parameters, system }: TemplateContext): string | false {
  const [source, ...steps] = reference.split(".");
  const [name = ""] = steps;
  const isSystem = Object.hasOwn(system, name);
  if ((source !== "arguments" && source !== "system") || steps.length === 0 || steps.includes(""))
    return `\`{{${reference}}}\` has no meaning, use \`{{arguments.…}}\` or \`{{system.…}}\`, in headers \`{{secret.…}}\` or \`{{connection.token}}\``;
  if (parameters === undefined) return `\`{{${reference}}}\` cannot stand here: the value is the same for every call`;
  if (part === "url" && isSystem && system[name] === "connection.token")
    return `\`{{${reference}}}\` is the user's token, which a URL must not hold: send it in \`headers\``;
  if (isSystem && steps.length === 1) return false;
  if (source === "system") return `\`{{${reference}}}\` is not in the run's \`system\``;
  return !declares(parameters, steps) && `the tool's \`parameters\` do not declare \`{{${reference}}}\``;
}
