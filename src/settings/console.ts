/** Sign-in to the console by an identity provider, beside pasting a key: `CONSOLE_OIDC`, `CONSOLE_OIDC_SECRET`. Pure. */
import * as z from "zod";
import { isLoopbackHost } from "../lib/host.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { readJsonSetting } from "./json-setting.ts";
import type { SettingVariables } from "./settings-table.ts";

interface ConsoleSettings {
  readonly oidc: OidcClient | undefined;
}

export const KEYS_ALONE: ConsoleSettings = { oidc: undefined };

const oidcClient = (dev: boolean) =>
  z.strictObject({
    /** Its metadata is at `<issuer>/.well-known/openid-configuration`. */
    issuer: z.string().refine((text) => isIssuer(text, dev), ISSUER_RULE),
    client_id: z.string().min(1).max(512),
    scope: z.string().min(1).max(512).default("openid"),
    /** The provider's name on the button; by default its host. */
    name: z.string().min(1).max(64).optional(),
    /** The provider's token that the console's requests carry. An entry of `JWT_ISSUERS` must accept it. */
    token: z.enum(["id_token", "access_token"]).default("id_token"),
  });

export interface OidcClient extends Required<z.output<ReturnType<typeof oidcClient>>> {
  /** Set for a confidential client; only the gateway sends it, to the provider. */
  readonly secret: string | undefined;
}

export function readConsole(variables: SettingVariables): Result<ConsoleSettings, readonly string[]> {
  const { CONSOLE_OIDC: text, CONSOLE_OIDC_SECRET: secret } = variables;
  if (!text) return secret ? err(["CONSOLE_OIDC_SECRET: set CONSOLE_OIDC too, or leave it out"]) : ok(KEYS_ALONE);
  const read = readJsonSetting(
    "CONSOLE_OIDC",
    text,
    oidcClient(variables.TOOLGATE_DEV === "1"),
    '`{ "issuer": "https://…", "client_id": "…" }`',
  );
  if (!read.ok) return read;
  const { name = new URL(read.value.issuer).host, ...client } = read.value;
  if (!client.scope.split(" ").includes("openid")) return err(["CONSOLE_OIDC: scope: must hold `openid`"]);
  return ok({ oidc: { ...client, name, secret: secret || undefined } });
}

// Without TLS, an attacker on the way could sign a user in as another.
const ISSUER_RULE = "must be an `https:` URL without a query (under `npm start` also an `http:` one of this machine)";

function isIssuer(value: string, dev: boolean): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, search, hash } = new URL(value);
  const isSafe = protocol === "https:" || (dev && protocol === "http:" && isLoopbackHost(hostname));
  return isSafe && search === "" && hash === "";
}
