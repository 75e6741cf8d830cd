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
      /** Stands for nobody in particular. */
      anonymous: z.boolean().optional(),
      /** A service key: each request names the user that it is for. `user` is then who answers for the key. */
      actsFor: z.boolean().optional(),
      /** Of a service key: the role of a request that asks for none. */
      defaultRole: z.string().min(1).optional(),
      /** Of a service key: stands before the users that it names. Absent: nothing does. */
      userPrefix: z.string().max(64).optional(),
      /** May act on every tenant's operators' surfaces. */
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
