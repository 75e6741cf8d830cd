/** `JWT_ISSUERS`: whose tokens are believed, for which tenant, and what their claims mean. Pure. */
import * as z from "zod";
import { isName, NAME_RULE } from "../lib/names.ts";
import { once } from "../lib/once.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { duration } from "../policy/duration-text.ts";

/**
 * Asymmetric alone. An algorithm with a shared secret would take the issuer's public key for that secret, and whoever has
 * read the key set could sign.
 */
export const JWT_ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
] as const;

const jwtIssuer = once(() => {
  const text = z.string().min(1).max(512);
  const name = z.string().refine(isName, `must have ${NAME_RULE}`);
  const role = z.string().min(1).max(128);
  return z.strictObject({
    issuer: text,
    audience: z.union([text.transform((one) => [one]), z.array(text).min(1)], "must be a text or a list of texts"),
    jwks: z.string().refine(isHttps, "must be an `https:` URL"),
    tenant: name,
    algorithms: z
      .array(z.enum(JWT_ALGORITHMS))
      .min(1)
      .default([...JWT_ALGORITHMS]),
    claims: z
      .strictObject({ user: text.default("sub"), role: text.default("role"), connections: text.default("connections") })
      .prefault({}),
    /** From values of the role claim to roles; absent: the values are roles. */
    roles: z
      .record(z.string(), role)
      .transform((roles) => new Map(Object.entries(roles)))
      .optional(),
    /** For a token without the role claim. */
    defaultRole: role.optional(),
    /** Seconds by which the issuer's clock may differ from ours. */
    clockTolerance: z.number().min(0).max(300).default(10),
    /** A token that is valid for longer is refused: whoever finds it later could still use it. */
    maxLifetime: duration().prefault("30d"),
    /**
     * Stands before the users of this issuer, so that they are nobody else in the tenant. Empty only on purpose: then the
     * token's user is whoever has this name by key.
     */
    userPrefix: z
      .string()
      .max(64)
      .refine((prefix) => prefix === "" || isName(`${prefix}x`), `must have ${NAME_RULE}`)
      .default("jwt:"),
  });
});

export type JwtIssuer = z.output<ReturnType<typeof jwtIssuer>>;

export function readJwtIssuers(variables: {
  readonly JWT_ISSUERS?: string;
}): Result<readonly JwtIssuer[], readonly string[]> {
  if (!variables.JWT_ISSUERS) return ok([]);
  let json: unknown;
  try {
    json = JSON.parse(variables.JWT_ISSUERS);
  } catch {
    return err(["JWT_ISSUERS: not JSON; write a list `[{ issuer, audience, jwks, tenant }]`"]);
  }
  const parsed = z.array(jwtIssuer()).max(100).safeParse(json);
  if (!parsed.success) {
    return err(parsed.error.issues.map(({ path, message }) => `JWT_ISSUERS: ${path.join(".") || "it"}: ${message}`));
  }
  const clashes = pairs(parsed.data).flatMap(([one, other]) => clash(one, other) ?? []);
  return clashes.length > 0 ? err(clashes) : ok(parsed.data);
}

/** What keeps two entries from standing side by side. */
function clash(one: JwtIssuer, other: JwtIssuer): string | undefined {
  const same = one.issuer === other.issuer;
  const shared = same ? one.audience.find((audience) => other.audience.includes(audience)) : undefined;
  if (shared !== undefined)
    return `JWT_ISSUERS: two entries have the issuer \`${one.issuer}\` and the audience \`${shared}\`; keep one`;
  if (one.tenant !== other.tenant || (same && one.userPrefix === other.userPrefix)) return undefined;
  // `a` + `bx` and `ab` + `x` would be one user, so neither prefix may begin with the other.
  if (!one.userPrefix.startsWith(other.userPrefix) && !other.userPrefix.startsWith(one.userPrefix)) return undefined;
  return (
    `JWT_ISSUERS: users of \`${one.issuer}\` and \`${other.issuer}\` could meet in the tenant \`${one.tenant}\`; ` +
    "give each a `userPrefix`, of which none begins with another"
  );
}

const pairs = <T>(list: readonly T[]): (readonly [T, T])[] =>
  list.flatMap((one, index) => list.slice(index + 1).map((other) => [one, other] as const));

function isHttps(value: string): boolean {
  return URL.canParse(value) && new URL(value).protocol === "https:";
}
