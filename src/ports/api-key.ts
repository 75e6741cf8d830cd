/** An API key as KV holds it, without its token. */
import * as z from "zod";
import { once } from "../lib/once.ts";

export const apiKey = once(() =>
  z
    .object({
      id: z.string().min(1),
      tenant: z.string().min(1).max(128),
      user: z.string().min(1).max(128),
      role: z.string().min(1),
      /** Providers that the user has linked. */
      connections: z.array(z.string()).readonly(),
      /** The key names no user of its own. */
      anonymous: z.boolean().optional(),
      /** A service key: each request names the user that it is for. `user` then answers for the key. */
      actsFor: z.boolean().optional(),
      /** Service keys only: the role of a request that asks for none. */
      defaultRole: z.string().min(1).optional(),
      /** Service keys only: the prefix of the users that it names. Absent: there is none. */
      userPrefix: z.string().max(64).optional(),
      /** May use operators' surfaces for every tenant. */
      operator: z.boolean().optional(),
      /** Requests of this key, in place of the gateway's default; null for no limit. */
      rateLimit: z
        .object({ max: z.int().min(1), windowMs: z.int().min(1), exact: z.boolean().optional() })
        .readonly()
        .nullable()
        .optional(),
      /** Milliseconds since the epoch, as is `expiresAt`. */
      createdAt: z.number(),
      expiresAt: z.number().optional(),
    })
    .readonly(),
);

export type ApiKey = z.infer<ReturnType<typeof apiKey>>;
