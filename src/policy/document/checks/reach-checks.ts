/** Checks of a request to another server: its URL, its hosts, its headers and the templates in them. Pure. */
import { hostOf, isSameHost, listedHost } from "../../../lib/host.ts";
import type { JsonSchema } from "../../../lib/json/json-schema.ts";
import type { Finding, IssuePath, ReadPath } from "../policy-issue.ts";
import {
  isConnectionHeader,
  isHeaderName,
  isHeaderText,
  isSecret,
  referencesIn,
  withoutReferences,
} from "../request-template.ts";
import { declares } from "./declared-arguments.ts";

export interface Reach {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly allowHosts?: readonly string[] | undefined;
  readonly allowPrivate: boolean;
}

/** What the templates of a request may name. */
export interface TemplateContext {
  /** Of the call; absent where no argument may be named: an MCP server's headers are the same for all its tools. */
  readonly parameters?: JsonSchema | undefined;
  /** The arguments that the gateway sets. */
  readonly system: Readonly<Record<string, string>>;
  /** A provider is named whose token `connection.token` is. */
  readonly connected: boolean;
  /** The parts of the document that give the arguments and the provider. */
  readonly reads: { readonly arguments: readonly ReadPath[]; readonly connection: readonly ReadPath[] };
}

export function reachFindings(reach: Reach, context: TemplateContext, path: IssuePath): Finding[] {
  return [
    [[...path, "url"], urlFault(reach), [[...path, "allowPrivate"]]],
    ...templateFindings(reach.url, "url", context, [...path, "url"]),
    ...hostFindings(reach, path),
    ...headerFindings(reach.headers, context, [...path, "headers"]),
  ];
}

function urlFault({ url, allowPrivate }: Reach): string | undefined {
  const [, scheme, authority = ""] = /^(https?):\/\/([^/?#\\]*)/i.exec(url) ?? [];
  const rest = withoutReferences(url, "x");
  const faults: readonly (readonly [isFault: boolean, message: string])[] = [
    [scheme === undefined, "must begin with `https://` and a host"],
    [
      /^http$/i.test(scheme ?? "") && !allowPrivate,
      "plain http is not encrypted, use `https://` (http needs `allowPrivate`)",
    ],
    [/\{\{|\}\}/.test(authority), "the host cannot hold a template: its value would choose where the request goes"],
    [authority.includes("@"), "holds a user or password, send them in `headers`"],
    [rest.includes("#"), "holds a fragment, which is never sent"],
    [/[\s\\]/.test(rest), "holds a blank or a backslash, write it percent-encoded"],
    [hostOf(url) === undefined || !URL.canParse(rest), "is not a URL"],
  ];
  return faults.find(([isFault]) => isFault)?.[1];
}

function hostFindings({ url, allowHosts }: Reach, path: IssuePath): Finding[] {
  if (allowHosts === undefined) return [];
  const host = hostOf(url);
  const protocol = /^http:/i.test(url) ? "http:" : "https:";
  const listed = allowHosts.map((entry) => listedHost(entry, protocol));
  const isListed = (wanted: string) => listed.some((one) => one !== undefined && isSameHost(one, wanted));
  return [
    ...listed.map((one, index): Finding => {
      const isHost = one !== undefined && !one.includes("*");
      const fault = "is not a host, write one such as `crm.example.com`, with its port if it has one";
      return [[...path, "allowHosts", index], !isHost && fault];
    }),
    [
      [...path, "url"],
      host !== undefined && !isListed(host) && `\`${host}\` is not among \`allowHosts\``,
      [[...path, "allowHosts"]],
    ],
  ];
}

function headerFindings(headers: Reach["headers"], context: TemplateContext, path: IssuePath): Finding[] {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return Object.entries(headers).flatMap(([name, value], index): Finding[] => {
    const at = [...path, name];
    const isRepeated = names.indexOf(name.toLowerCase()) < index;
    const fault = isConnectionHeader(name)
      ? "belongs to the connection, which the gateway makes: leave it out"
      : isRepeated && "is given twice, in another spelling";
    const isText = isHeaderText(withoutReferences(value, ""));
    return [
      [at, isHeaderName(name) ? fault : "is not the name of a header"],
      [at, !isText && "holds a line break or a character that is not Latin-1, which no header can"],
      ...templateFindings(value, "headers", context, at),
    ];
  });
}

/** Secrets leave in headers only: URLs are written into logs, and bodies are echoed in answers. */
type Part = "headers" | "url" | "body";

export function templateFindings(text: string, part: Part, context: TemplateContext, path: IssuePath): Finding[] {
  const { reads } = context;
  const isBroken = /\{\{|\}\}/.test(withoutReferences(text, ""));
  return [
    [path, isBroken && "holds `{{` or `}}` that belongs to no template"],
    ...referencesIn(text).map((reference): Finding => {
      if (isSecret(reference)) return [path, secretFault(reference, part, context), reads.connection];
      return [path, argumentFault(reference, part, context), reads.arguments];
    }),
  ];
}

function secretFault(reference: string, part: Part, { connected }: TemplateContext): string | false {
  if (part !== "headers") return `\`{{${reference}}}\` can stand in \`headers\` only`;
  if (reference === "connection.token")
    return !connected && "`{{connection.token}}` needs a `connection` that names the provider";
  const isName = /^secret\.[A-Z][A-Z0-9_]{0,63}$/.test(reference);
  return (
    !isName && `\`{{${reference}}}\` is not a secret's name: 1 to 64 capital letters, digits or \`_\`, a letter first`
  );
}

function argumentFault(reference: string, part: Part, { parameters, system }: TemplateContext): string | false {
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
