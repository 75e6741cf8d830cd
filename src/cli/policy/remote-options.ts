/** Options of every command that talks to a running gateway. */
import { DEFAULT_GATEWAY } from "../gateway-client.ts";

export const remoteOptions = {
  gateway: { type: "string", default: DEFAULT_GATEWAY },
  tenant: { type: "string", default: "default" },
} as const;
