/** The body of `PUT /v1/users/:id/connections`: all providers that the user is to have linked. Pure. */
import * as z from "zod";
import { boundHost } from "../../lib/host.ts";
import { isName, NAME_RULE } from "../../lib/names.ts";
import { once } from "../../lib/once.ts";

export interface ConnectionRequest {
  readonly provider: string;
  /** In clear. */
  readonly token?: string | undefined;
  /** As URLs have them. */
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

const connectionList = once(() =>
  z.strictObject({
    connections: z
      .array(z.preprocess((one) => (typeof one === "string" ? { provider: one } : one), connection()))
      .max(MAX_CONNECTIONS),
  }),
);

export interface ConnectionContext {
  /** Whether there is a key that seals tokens. */
  readonly canSeal: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export const connectionsBody = ({ canSeal, now }: ConnectionContext) => ({
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
