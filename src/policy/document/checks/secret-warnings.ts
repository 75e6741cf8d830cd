/** Warns of secrets in the headers that a policy sends to other servers: written into the policy, or bound by no setting. Pure. */
import { hostOf } from "../../../lib/host.ts";
import { toPointer } from "../../../lib/json/json-value.ts";
import type { PolicyDocument } from "../document-schema.ts";
import { type PolicyWarning, policyWarning, type Warnings } from "../policy-issue.ts";
import { secretsIn, withoutReferences } from "../request-template.ts";

type Document = Pick<PolicyDocument, "tools" | "mcpServers">;

/** A secret that the gateway's settings must bind before the request can be sent. */
export interface SecretNeed {
  /** JSON pointer to the header. */
  readonly path: string;
  readonly secret: string;
  readonly host: string;
}

export function secretNeeds(document: Document): readonly SecretNeed[] {
  return headersIn(document).flatMap(({ path, url, value }) => {
    const host = url === undefined ? undefined : hostOf(url);
    if (host === undefined) return [];
    return secretsIn({ value }).map((secret) => ({ path: toPointer(path), secret, host }));
  });
}

/** @param isBound whether the settings bind the secret to the host, for the tenant that the policy is for. */
export function unboundSecrets(
  document: Document,
  isBound: (secret: string, host: string) => boolean,
): readonly PolicyWarning[] {
  return secretNeeds(document)
    .filter(({ secret, host }) => !isBound(secret, host))
    .map(({ path, secret, host }) =>
      policyWarning(
        "secret_unbound",
        path,
        `the gateway's settings bind no secret \`${secret}\` to this tenant and ${host}, so no such call can start: set TOOL_SECRETS and SECRET_${secret}`,
      ),
    );
}

/** Every reader of a policy, and of its old versions, could read the secret. */
export function* warnLiteralSecrets(document: Document): Warnings {
  const text = "looks like a secret written into the policy: set it as SECRET_NAME and write `{{secret.NAME}}`";
  for (const { path, name, value } of headersIn(document))
    yield ["secret_literal", path, holdsSecret(name, withoutReferences(value, " ")) && text];
}

interface Header {
  readonly path: readonly string[];
  readonly name: string;
  readonly value: string;
  readonly url: string | undefined;
}

function headersIn({ tools, mcpServers }: Document): readonly Header[] {
  const runs = Object.entries(tools).flatMap(([name, { run }]) =>
    run && run.kind !== "mcp" ? [{ path: ["tools", name, "run"], ...run }] : [],
  );
  const servers = Object.entries(mcpServers).map(([name, server]) => ({ path: ["mcpServers", name], ...server }));
  return [...runs, ...servers].flatMap(({ path, url, headers }) =>
    Object.entries(headers).map(([name, value]) => ({ path: [...path, "headers", name], name, value, url })),
  );
}

const CREDENTIAL_NAME = /^(?:proxy-)?authorization$|^cookie$|api-?key|secret|password|token$/i;
const SCHEME = /^\s*(?:bearer|basic|token|apikey)\b/i;
/** Prefixes of well-known services' keys. */
const KNOWN_KEY = /(?:^|\W)(?:sk-|sk_|pk_|rk_|gh[opsru]_|github_pat_|glpat-|xox[abprs]-|AKIA|AIza|eyJ)[\w.-]{8,}/;

/** @param text the header's value without references. */
function holdsSecret(name: string, text: string): boolean {
  const words = text.replace(SCHEME, "").split(/\s+/);
  if (KNOWN_KEY.test(text) || words.some(looksRandom)) return true;
  return CREDENTIAL_NAME.test(name) && words.some((word) => word.length >= 8);
}

/** Long, with letters and several digits, and with few repeated characters. */
function looksRandom(word: string): boolean {
  if (word.length < 24 || !/^[\w.+/=-]+$/.test(word)) return false;
  const digits = word.replace(/\D/g, "").length;
  return digits >= 3 && digits < word.length && entropy(word) > 3.2;
}

/** Bits per character. */
function entropy(word: string): number {
  const counts = new Map<string, number>();
  for (const char of word) counts.set(char, (counts.get(char) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / word.length) * Math.log2(count / word.length), 0);
}
