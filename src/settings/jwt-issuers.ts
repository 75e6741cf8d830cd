/** `JWT_ISSUERS`: the issuers whose tokens are accepted, each with its tenant and the meaning of its claims. Pure. */
import * as z from "zod";
import { isLoopbackHost } from "../lib/host.ts";
import { isName, NAME_RULE } from "../lib/names.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { duration } from "../policy/document/duration-text.ts";
import { readJsonSetting } from "./json-setting.ts";
import type { SettingVariables } from "./settings-table.ts";

/**
 * Asymmetric algorithms only. One with a shared secret would take the issuer's public key for that secret, and anybody who has
 * read the key set could sign.
 */
const JWT_ALGORITHMS = [
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

/** @param dev whether a key set may be fetched from this machine without TLS. */
const jwtIssuer = (dev: boolean) => {
  const text = z.string().min(1).max(512);
  const name = z.string().refine(isName, `must have ${NAME_RULE}`);
  const role = z.string().min(1).max(128);
  return z.strictObject({
    issuer: text,
    audience: z.union([text.transform((one) => [one]), z.array(text).min(1)], "must be a text or a list of texts"),
    /** The URL of its public keys. */
    jwks: z
      .string()
      .max(2048)
      .refine((url) => isKeySetUrl(url, dev), KEY_SET_RULE)
      .optional(),
    /** Its public keys themselves, in the place of `jwks`. */
    keys: z.array(publicKey()).min(1).max(20).optional(),
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
     * Put before the names of this issuer's users, so that they meet no other user of the tenant. Empty only on purpose: then the
     * token's user is the one who has this name by key.
     */
    userPrefix: z
      .string()
      .max(64)
      .refine((prefix) => prefix === "" || isName(`${prefix}x`), `must have ${NAME_RULE}`)
      .default("jwt:"),
  });
};

export type JwtIssuer = z.output<ReturnType<typeof jwtIssuer>>;

const FORM = '`[{ "issuer": "…", "audience": "…", "jwks": "https://…", "tenant": "…" }]`';

export function readJwtIssuers(variables: SettingVariables): Result<readonly JwtIssuer[], readonly string[]> {
  if (!variables.JWT_ISSUERS) return ok([]);
  const schema = z.array(jwtIssuer(variables.TOOLGATE_DEV === "1")).max(100);
  const read = readJsonSetting("JWT_ISSUERS", variables.JWT_ISSUERS, schema, FORM);
  if (!read.ok) return read;
  const problems = read.value.flatMap(({ jwks, keys }, index) => {
    if ((jwks === undefined) !== (keys === undefined)) return [];
    const missing = "jwks: is missing: write the `https:` URL of the key set, or its keys as `keys`";
    return [`JWT_ISSUERS: ${index}.${keys ? "keys: remove it, or remove `jwks`" : missing}`];
  });
  if (problems.length > 0) return err(problems);
  const clashes = pairs(read.value).flatMap(([one, other]) => clash(one, other) ?? []);
  return clashes.length > 0 ? err(clashes) : ok(read.value);
}

/** Why two entries cannot both hold; undefined if they can. */
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

// Without TLS, an attacker on the way could replace the issuer's keys.
const KEY_SET_RULE = "must be an `https:` URL (under `npm start` also an `http:` one of this machine)";

function isKeySetUrl(text: string, dev: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (dev && protocol === "http:" && isLoopbackHost(hostname));
}

/** Members that only a private or a shared key has (RFC 7518). */
const PRIVATE = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

const publicKey = () =>
  z
    .looseObject({ kty: z.enum(["RSA", "EC", "OKP"]) })
    .refine((key) => !PRIVATE.some((name) => Object.hasOwn(key, name)), "is a private key: write the public one alone");
