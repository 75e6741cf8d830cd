/**
 * `GET` and `PUT /v1/users/:id/connections`, `GET` and `DELETE /v1/users/:id/connections/:provider`: the providers that a user
 * has linked, set by admins of the tenant (`?tenant=`: an operator of any). No response shows a token.
 */
import type { Context, Hono } from "hono";
import * as z from "zod";
import { sealToken } from "../../auth/connection-tokens.ts";
import type { Deps } from "../../deps.ts";
import { boundHost } from "../../lib/host.ts";
import { isName, NAME_RULE } from "../../lib/names.ts";
import { once } from "../../lib/once.ts";
import { err, ok } from "../../lib/result.ts";
import type { Owner } from "../../session/principal.ts";
import type { AppEnv } from "../app-env.ts";
import { type HandlerResult, routesFor } from "../handler.ts";
import { listBody } from "../list-body.ts";
import { notFound } from "../problem.ts";
import { orNotFound, orUnavailable } from "../reach.ts";
import { readJson } from "../read-json.ts";
import { connectionView } from "./linked-connections.ts";
import { actorOf, forNamedUser, logChange } from "./named-user.ts";

/** Room for the longest tokens. */
const MAX_BYTES = 1024 * 1024;

/** To be mounted at `/v1/users/:id/connections`, behind the middleware that sets `principal`. */
export function connectionRoutes(deps: Deps): Hono<AppEnv> {
  return routesFor(deps, {
    "GET /": forNamedUser(listConnections),
    "PUT /": forNamedUser(setConnections),
    "GET /:provider": forNamedUser(getConnection),
    "DELETE /:provider": forNamedUser(removeConnection),
  });
}

async function listConnections(deps: Deps, owner: Owner): Promise<HandlerResult> {
  const found = await orUnavailable(deps.guardOf(owner).connections.list());
  return found.ok ? ok(listBody(found.value.map((one) => connectionView(one, deps.now())))) : found;
}

async function getConnection(deps: Deps, owner: Owner, c: Context<AppEnv>): Promise<HandlerResult> {
  const found = await orUnavailable(deps.guardOf(owner).connections.list());
  if (!found.ok) return found;
  const one = found.value.find(({ provider }) => provider === c.req.param("provider"));
  return one ? ok(connectionView(one, deps.now())) : err(notFound("connection", "provider"));
}

async function setConnections(deps: Deps, owner: Owner, c: Context<AppEnv>): Promise<HandlerResult> {
  const { connectionKeys: keys, limits } = deps;
  const maxBytes = Math.min(MAX_BYTES, limits.maxSmallBodyBytes);
  const body = await readJson(c.req.raw, maxBytes, connectionsBody({ canSeal: keys !== undefined, now: deps.now() }));
  if (!body.ok) return body;
  const sealed = async ({ token, ...one }: ConnectionRequest) => {
    const sealedToken = token !== undefined && keys ? await sealToken(keys, owner, one.provider, token) : undefined;
    return { ...one, sealedToken };
  };
  const connections = await Promise.all(body.value.map(sealed));
  const set = await orUnavailable(deps.guardOf(owner).connections.replace(owner, connections, actorOf(c, owner)));
  if (!set.ok) return set;
  logChange("connections_set", c, owner, { providers: set.value.map(({ provider }) => provider) });
  return ok(listBody(set.value.map((one) => connectionView(one, deps.now()))));
}

async function removeConnection(deps: Deps, owner: Owner, c: Context<AppEnv>): Promise<HandlerResult> {
  const provider = c.req.param("provider") ?? "";
  const removed = await orNotFound(
    deps.guardOf(owner).connections.remove(provider, actorOf(c, owner)),
    "connection",
    "provider",
  );
  if (!removed.ok) return removed;
  logChange("connection_removed", c, owner, { provider });
  return ok({ object: "connection.deleted", provider, deleted: true });
}

interface ConnectionRequest {
  readonly provider: string;
  /** In clear. */
  readonly token?: string | undefined;
  /** As URLs spell them. */
  readonly hosts: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | null;
}

const MAX_CONNECTIONS = 64;

// No message quotes a value: it may be a token in the wrong place.
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
    // It goes into a header, which allows nothing else.
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

const connectionList = once(() =>
  z.strictObject({
    connections: z
      .array(z.preprocess((one) => (typeof one === "string" ? { provider: one } : one), connection()))
      .max(MAX_CONNECTIONS),
  }),
);

interface ConnectionContext {
  /** Whether there is a key that seals tokens. */
  readonly canSeal: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const connectionsBody = ({ canSeal, now }: ConnectionContext) => ({
  schema: () =>
    connectionList()
      .superRefine(({ connections }, context) => {
        for (const [index, { provider, token, hosts, expires_at: expiresAt }] of connections.entries()) {
          const report = (name: string, message: string) =>
            context.addIssue({ code: "custom", path: ["connections", index, name], message });
          if (connections.findIndex((other) => other.provider === provider) < index)
            report("provider", "is given twice, give it once");
          if (token !== undefined && !canSeal)
            report(
              "token",
              "cannot be stored: set its CONNECTION_KEY (`id:secret`) at the gateway, or leave the token out",
            );
          if (token !== undefined && hosts.length === 0)
            report("hosts", "must name the hosts that the token may be sent to");
          if (expiresAt !== null && expiresAt <= now) report("expires_at", "is not in the future");
        }
      })
      .transform(({ connections }): readonly ConnectionRequest[] =>
        connections.map(({ expires_at: expiresAt, ...one }) => ({ ...one, expiresAt })),
      ),
  example: '`{ "connections": ["provider", { "provider": "…", "token": "…", "hosts": ["…"] }] }`',
  code: "connections_invalid",
});
