/** The providers that a user is to have linked, as an operator sends them. Pure. */
import * as z from "zod";
import { boundHost } from "../../lib/host.ts";
import { parseStrictJson } from "../../lib/json/strict-json.ts";
import { isName, NAME_RULE } from "../../lib/names.ts";
import { once } from "../../lib/once.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { PolicyIssue } from "../../policy/document/policy-issue.ts";
import { shapeIssues, shapeMessages } from "../../policy/document/shape-issues.ts";
import { badRequest, type Problem } from "../problem.ts";

export interface ConnectionOrder {
  readonly provider: string;
  /** In clear. */
  readonly token?: string | undefined;
  /** As URLs have them. */
  readonly hosts: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | null;
}

const MAX_CONNECTIONS = 64;

// No message tells a value: a token in the wrong place would stand in it.
const named = "must name hosts such as `crm.example.com` or `localhost:8787`";
const hosts = once(() =>
  z
    .array(
      z
        .string()
        .max(260)
        .transform(boundHost)
        .refine((one) => one !== undefined, named),
    )
    .max(32)
    .transform((list) => [...new Set(list.filter((one) => one !== undefined))])
    .default([]),
);

const connection = once(() =>
  z.strictObject({
    provider: z.string().refine(isName, `must have ${NAME_RULE}`),
    // It goes into a header, where nothing else can stand.
    token: z
      .string()
      .regex(/^[\x21-\x7e]{1,8192}$/, "must be 1 to 8192 characters of printable ASCII, without blanks")
      .optional(),
    hosts: hosts(),
    expires_at: z.iso
      .datetime({ offset: true, error: "must be a time such as `2027-01-31T12:00:00Z`" })
      .transform(Date.parse)
      .nullable()
      .default(null),
  }),
);

const order = once(() =>
  z.strictObject({
    connections: z
      .array(z.preprocess((one) => (typeof one === "string" ? { provider: one } : one), connection()))
      .max(MAX_CONNECTIONS),
  }),
);

export interface OrderContext {
  /** Whether there is a key that tokens can be sealed with. */
  readonly sealed: boolean;
  readonly now: number;
}

/** Every error at once. */
export function readConnectionOrder(
  text: string,
  { sealed, now }: OrderContext,
): Result<readonly ConnectionOrder[], Problem> {
  // JSON.parse cites what it cannot read.
  const json = parseStrictJson(text);
  if (!json.ok)
    return err(badRequest(undefined, `the body is not JSON that can be read in one way; ${SEND}`, "invalid_json"));
  const parsed = order().safeParse(json.value, { error: shapeMessages });
  if (!parsed.success) return err(invalid(shapeIssues(parsed.error)));
  const { connections } = parsed.data;
  const issues: PolicyIssue[] = [];
  for (const [index, { provider, token, hosts, expires_at: expiresAt }] of connections.entries()) {
    const at = (name: string, message: string) => issues.push({ path: `/connections/${index}/${name}`, message });
    if (connections.findIndex((other) => other.provider === provider) < index)
      at("provider", "is given twice, give it once");
    if (token !== undefined && !sealed)
      at("token", "this gateway keeps no tokens: set its CONNECTION_KEY (`id:secret`), or leave the token out");
    if (token !== undefined && hosts.length === 0) at("hosts", "must name the hosts that the token may be sent to");
    if (expiresAt !== null && expiresAt <= now) at("expires_at", "is not in the future");
  }
  if (issues.length > 0) return err(invalid(issues));
  return ok(connections.map(({ expires_at: expiresAt, ...one }) => ({ ...one, expiresAt })));
}

const SEND = 'send `{ "connections": ["provider", { "provider": "…", "token": "…", "hosts": ["…"] }] }`';

function invalid(errors: readonly PolicyIssue[]): Problem {
  const [first] = errors;
  const others = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const message = `${first?.path || "the body"}: ${first?.message}${others}; ${SEND}`;
  return {
    ...badRequest(first?.path.slice(1).replaceAll("/", ".") || undefined, message, "connections_invalid"),
    errors,
  };
}
