/** Further client headers that go to the upstream: `UPSTREAM_PASS_HEADERS`. Pure. */
import { err, ok, type Result } from "../lib/result.ts";
import type { SettingVariables } from "./settings-table.ts";

export const NO_HEADERS: ReadonlySet<string> = new Set();

const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,128}$/;

/** Parts of names that mark a credential, or something between client and gateway. */
const CREDENTIAL =
  /token|secret|passw|credential|bearer|signature|auth|cookie|csrf|xsrf|apikey|jwt|oidc|forwarded|toolgate|stainless|principal|email/;

/** Words that mark the client's identity or address, as a whole part of a name: `x-remote-user`, `cf-connecting-ip`. */
const IDENTITY =
  /(^|-)(key|session|account|tenant|org|user|userid|username|ip|cert|remote|real|client-ip|amz|amzn|envoy|cloud|cf|sec)(-|$)/;

/** Headers of the connection, of the body, or for one request of the client's, which may take several of ours. */
const OWN =
  /^(host|connection|keep-alive|te|trailer|upgrade|expect|via|from|origin|referer|accept-encoding|range|if-.*|content-.*|transfer-encoding|idempotency-key|x-idempotency-key)$/;

export function readPassHeaders({
  UPSTREAM_PASS_HEADERS: text,
}: SettingVariables): Result<ReadonlySet<string>, readonly string[]> {
  const names = (text ?? "").split(",").map((name) => name.trim().toLowerCase());
  const given = names.filter((name) => name !== "");
  const problems = given.flatMap((name) => problemOf(name) ?? []);
  return problems.length > 0 ? err(problems) : ok(new Set(given));
}

function problemOf(name: string): string | undefined {
  const shown = `UPSTREAM_PASS_HEADERS: \`${name.slice(0, 64)}\``;
  if (!NAME.test(name))
    return `${shown} is no name of a header: write a comma list such as \`x-vendor, x-portkey-config\``;
  if (OWN.test(name)) return `${shown} belongs to one request, and the gateway sets its own: leave it out`;
  if (CREDENTIAL.test(name) || IDENTITY.test(name))
    return `${shown} may tell who the client is, which no upstream is told: leave it out`;
  return undefined;
}
