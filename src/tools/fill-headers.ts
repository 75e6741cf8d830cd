/**
 * The headers of a request to somebody else's server, with the secrets in them that this tenant may send to this host. They
 * are made for one host, as late as can be, and told to nobody but the request.
 */

import { hostOf } from "../lib/host.ts";
import { err, ok, type Result } from "../lib/result.ts";
import {
  isConnectionHeader,
  isHeaderName,
  isHeaderText,
  isSecret,
  referencesIn,
} from "../policy/document/request-template.ts";
import type { Principal } from "../session/principal.ts";
import { linkedToken, type SecretPort, type TokenPort } from "./credentials.ts";
import { type ExecutionResult, notStarted } from "./execution-result.ts";
import { fillText, type TemplateValues } from "./templates.ts";

export interface HeaderTemplates {
  readonly headers: Readonly<Record<string, string>>;
  /** The URL in the policy: secrets go to its host alone. */
  readonly url: string;
}

export interface HeaderFacts {
  readonly principal: Principal;
  /** Providers that the tool needs. */
  readonly connections: readonly string[];
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly system: Readonly<Record<string, unknown>>;
}

export interface FilledHeaders {
  readonly headers: Headers;
  /** What stands in them that nobody may be told. */
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
    // What is no header's the runtime refuses, citing it.
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
