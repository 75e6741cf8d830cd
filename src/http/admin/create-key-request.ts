/** The bodies of `POST /admin/keys` and `…/rotate`, and whether the admin may make that key. Pure. */
import * as z from "zod";
import { isName, NAME_RULE } from "../../lib/names.ts";
import { once } from "../../lib/once.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { DAY_MS } from "../../lib/time.ts";
import { duration } from "../../policy/document/duration-text.ts";
import { isWithin, roleRank } from "../../policy/role-order.ts";
import { type RateLimit, rateLimitObject } from "../../settings/json-setting.ts";
import type { AuthenticatedPrincipal } from "../authenticate/identity.ts";
import { badRequest, forbidden, type Problem } from "../problem.ts";

const name = once(() => z.string().refine(isName, `must have ${NAME_RULE}`));
const prefix = () =>
  z
    .string()
    .max(64)
    .refine((text) => isName(`${text}x`), `must have ${NAME_RULE}`);

/**
 * The default prefix of a service key's users, so that none of them is another user of the tenant. Keys made before this default have
 * no prefix: their users' sessions and grants go by those names.
 */
export const SERVICE_PREFIX = "svc:";

const createKeySchema = once(() =>
  z.strictObject({
    tenant: name().optional(),
    user: name(),
    // Optional here: `checkKeyRequest` knows the policy's roles and lists them if it is missing.
    role: z.string().min(1).max(128).optional(),
    connections: z.array(name()).max(64).default([]),
    name: z.string().max(128).default(""),
    expires_in: duration().optional(),
    expires_at: z.iso
      .datetime({ offset: true, error: "must be a time such as `2030-01-31T12:00:00Z`" })
      .transform(Date.parse)
      .optional(),
    acts_for: z.boolean().default(false),
    default_role: z.string().min(1).max(128).optional(),
    user_prefix: prefix().optional(),
    anonymous: z.boolean().default(false),
    operator: z.boolean().default(false),
    rate_limit: rateLimitObject().nullable().optional(),
  }),
);

export type CreateKeyRequest = z.output<ReturnType<typeof createKeySchema>>;
export const createKeyBody = { schema: createKeySchema, example: '`{ "user": "…", "role": "…" }`' };

const noOverlap = () => z.union([z.literal(0), z.literal("0"), z.literal("0s")]).transform(() => 0);
export const rotateKeyBody = {
  schema: once(() =>
    z.strictObject({
      tenant: name().optional(),
      overlap: z.union([noOverlap(), duration()], "must be a duration such as `24h`, or 0").default(DAY_MS),
    }),
  ),
  example: '`{ "overlap": "24h" }`, or no body',
  optional: true,
} as const;

interface MakerContext {
  readonly maker: AuthenticatedPrincipal;
  /** Roles of the policy of the key's tenant, weakest first. */
  readonly roles: readonly string[];
  /** The gateway's limit for keys without one of their own. */
  readonly byDefault: RateLimit | undefined;
  readonly now: number;
}

export interface CheckedKey {
  readonly role: string;
  /** Milliseconds since the epoch; undefined if it does not end. */
  readonly expiresAt: number | undefined;
}

export function checkKeyRequest(request: CreateKeyRequest, context: MakerContext): Result<CheckedKey, Problem> {
  const { role } = request;
  const known = context.roles.map((one) => `\`${one}\``).join(", ");
  if (role === undefined) return err(badRequest("role", `\`role\` is missing; the tenant's policy has ${known}`));
  const key = { ...request, role };
  const problem = roleProblem(key, known, context) ?? kindProblem(key, context) ?? limitProblem(key, context);
  if (problem) return err(problem);
  const { expires_in: lasts, expires_at: at } = key;
  if (lasts !== undefined && at !== undefined)
    return err(badRequest("expires_at", "give either `expires_in` or `expires_at`"));
  const ends = lasts === undefined ? at : context.now + lasts;
  if (ends !== undefined && ends <= context.now)
    return err(badRequest("expires_at", "`expires_at` is not in the future"));
  return ok({ role, expiresAt: ends });
}

type KeyWithRole = CreateKeyRequest & { readonly role: string };

function roleProblem({ role }: KeyWithRole, known: string, { maker, roles }: MakerContext): Problem | undefined {
  if (roleRank(roles, role) === undefined) {
    return badRequest("role", `the tenant's policy has no role \`${role}\`; it has ${known}`, "role_unknown");
  }
  if (maker.operator || isWithin(roles, role, maker.role)) return undefined;
  return forbidden("role_forbidden", `a key's role may not be above your own, which is \`${maker.role}\``, "role");
}

function kindProblem(key: KeyWithRole, { maker, roles }: MakerContext): Problem | undefined {
  const { role, acts_for: actsFor, default_role: fallback, operator } = key;
  if (operator && !maker.operator)
    return forbidden("operator_required", "only an operator can make an operator's key", "operator");
  if (operator && (role !== "admin" || actsFor || key.anonymous))
    return badRequest("operator", "an operator's key has the role `admin`, and is neither anonymous nor a service key");
  if (actsFor && key.anonymous)
    return badRequest("anonymous", "a service key acts for users it names: it cannot be anonymous");
  if (!actsFor) {
    const only = fallback !== undefined ? "default_role" : key.user_prefix !== undefined ? "user_prefix" : undefined;
    return only === undefined ? undefined : badRequest(only, `\`${only}\` is for keys with \`acts_for\``);
  }
  if (fallback !== undefined && !isWithin(roles, fallback, role))
    return badRequest("default_role", `\`default_role\` must be a role up to the key's own, \`${role}\``);
  if (fallback === undefined && role === "admin") {
    // A backend that forgets the header must not make every user an admin.
    return badRequest("default_role", "a service key with the role `admin` needs a `default_role`");
  }
  return undefined;
}

/** A tenant's admin cannot lift the limit that the gateway's operator has set. */
function limitProblem(
  { rate_limit: limit }: CreateKeyRequest,
  { maker, byDefault }: MakerContext,
): Problem | undefined {
  if (limit === undefined || byDefault === undefined || maker.operator) return undefined;
  const within =
    limit !== null && limit.max <= byDefault.max && limit.max * byDefault.windowMs <= byDefault.max * limit.windowMs;
  if (within) return undefined;
  return forbidden("rate_limit_forbidden", "only an operator can set a limit above the gateway's", "rate_limit");
}
