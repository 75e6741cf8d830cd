/** Looks up the credentials that a managed tool sends: the gateway's secrets and the user's connection tokens. */
import { hostOf } from "../lib/host.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { systemOf } from "../policy/arguments/system-arguments.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import {
  holdsToken,
  isConnectionHeader,
  isHeaderName,
  isHeaderText,
  isSecret,
  referencesIn,
} from "../policy/document/request-template.ts";
import type { Principal } from "../session/principal.ts";
import { callTargetOf } from "./call-target.ts";
import { mcpTarget } from "./managed-tools.ts";
import { type ExecutionResult, notStarted } from "./run.ts";
import { fillText, type TemplateValues } from "./templates.ts";

interface TokenRequest {
  readonly principal: Principal;
  /** Providers that the tool needs. */
  readonly connections: readonly string[];
  /** The host that it would go to. */
  readonly host: string | undefined;
}

export async function linkedToken(
  tokens: TokenPort,
  { principal, connections, host }: TokenRequest,
): Promise<Result<string, ExecutionResult>> {
  const [provider, another] = connections;
  if (provider === undefined) return missing("the tool names no `connection` whose token it could send");
  if (another !== undefined) return missing("the tool has several connections: which token is meant is not known");
  if (host === undefined) return missing("there is no host that a token could go to");
  let token: string | undefined;
  try {
    token = await tokens.connectionToken(principal, provider, host);
  } catch {
    return err(notStarted("unavailable", "what the user has linked cannot be looked up at present"));
  }
  return token === undefined
    ? missing(`the user has linked no \`${provider}\` whose token may go to ${host}`)
    : ok(token);
}

const missing = (detail: string) => err(notStarted("connection_missing", detail));

export interface TokenNeed {
  readonly provider: string;
  readonly host: string;
}

/** Undefined if the tool's calls send no token, and if it is unclear which one. */
export function tokenNeed(policy: CompiledPolicy, tool: string): TokenNeed | undefined {
  if (!sendsToken(policy, tool)) return undefined;
  const { host, connections } = callTargetOf(policy, tool);
  const [provider] = connections;
  return provider === undefined || host === undefined ? undefined : { provider, host };
}

function sendsToken(policy: CompiledPolicy, tool: string): boolean {
  if (Object.values(systemOf(policy.tools.get(tool))).includes("connection.token")) return true;
  const run = policy.tools.get(tool)?.run;
  if (run && run.kind !== "mcp") return holdsToken(run.headers);
  const server = mcpTarget(policy, tool)?.server ?? "";
  const settings = policy.mcpServers.get(server);
  return settings !== undefined && holdsToken(settings.headers);
}

export interface TokenPort {
  /**
   * The user's own, in clear: it goes into a request to that host and nowhere else.
   * @returns undefined if there is none, it has expired, it cannot be unsealed, or it may not go to that host.
   */
  connectionToken(principal: Principal, provider: string, host: string): Promise<string | undefined>;
}

/** The port to the secrets of the gateway's settings. */
export interface SecretPort {
  /** @returns undefined if the settings do not bind it to this tenant and host. @param host as URLs have it. */
  secret(name: string, tenant: string, host: string): string | undefined;
}

interface HeaderTemplates {
  readonly headers: Readonly<Record<string, string>>;
  /** The URL in the policy: secrets go only to its host. */
  readonly url: string;
}

interface HeaderFacts {
  readonly principal: Principal;
  /** Providers that the tool needs. */
  readonly connections: readonly string[];
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly system: Readonly<Record<string, unknown>>;
}

interface FilledHeaders {
  readonly headers: Headers;
  /** The secrets in them, to be masked in answers. */
  readonly secrets: readonly string[];
}

export async function fillHeaders(
  { headers: templates, url }: HeaderTemplates,
  facts: HeaderFacts,
  ports: { readonly secrets: SecretPort; readonly tokens: TokenPort },
): Promise<Result<FilledHeaders, ExecutionResult>> {
  const found = await secretsIn(Object.values(templates), hostOf(url), facts, ports);
  if (!found.ok) return found;
  const values: TemplateValues = { arguments: facts.arguments, system: facts.system, secrets: found.value };
  const headers = new Headers();
  for (const [name, template] of Object.entries(templates)) {
    if (!isHeaderName(name) || isConnectionHeader(name))
      return err(notStarted("unavailable", `the header \`${name}\` cannot be set`));
    const filled = fillText(template, values);
    if (filled.kind === "unfit") return err(notStarted("arguments_unfit", `the header \`${name}\`: ${filled.why}`));
    if (filled.kind === "missing") continue;
    const value = String(filled.value);
    // The runtime refuses a value that no header may have, and its error cites the value.
    if (!isHeaderText(value))
      return err(notStarted("arguments_unfit", `the header \`${name}\` would hold what no header can`));
    headers.set(name, value);
  }
  return ok({ headers, secrets: [...found.value.values()] });
}

async function secretsIn(
  templates: readonly string[],
  host: string | undefined,
  { principal, connections }: HeaderFacts,
  { secrets, tokens }: { readonly secrets: SecretPort; readonly tokens: TokenPort },
): Promise<Result<ReadonlyMap<string, string>, ExecutionResult>> {
  const found = new Map<string, string>();
  for (const reference of new Set(templates.flatMap(referencesIn))) {
    if (!isSecret(reference)) continue;
    if (reference === "connection.token") {
      const token = await linkedToken(tokens, { principal, connections, host });
      if (!token.ok) return token;
      found.set(reference, token.value);
      continue;
    }
    const name = reference.slice("secret.".length);
    const secret = host === undefined ? undefined : secrets.secret(name, principal.tenant, host);
    if (secret === undefined)
      return err(
        notStarted("secret_unbound", `the secret \`${name}\` is not bound to this tenant and ${host ?? "host"}`),
      );
    found.set(reference, secret);
  }
  return ok(found);
}
