/** The arguments of the commands that talk to a gateway. */
import { parseArgs } from "node:util";
import type { Result } from "../../lib/result.ts";
import { DEFAULT_GATEWAY, type GatewayAddress, readGatewayAddress } from "./gateway-address.ts";

export interface RemoteArguments {
  readonly gateway: Result<GatewayAddress, readonly string[]>;
  readonly tenant: string;
  readonly files: readonly string[];
  readonly text: (name: string) => string | undefined;
  readonly flag: (name: string) => boolean;
}

/** @param own the command's own options. Throws what `parseArgs` throws. */
export function readRemoteArguments(
  args: readonly string[],
  own: Readonly<Record<string, "string" | "boolean">>,
): RemoteArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      gateway: { type: "string", default: DEFAULT_GATEWAY },
      tenant: { type: "string", default: "default" },
      ...Object.fromEntries(Object.entries(own).map(([name, type]) => [name, { type }])),
    },
    allowPositionals: true,
  });
  const all: Readonly<Record<string, unknown>> = values;
  return {
    gateway: readGatewayAddress(values.gateway, process.env),
    tenant: values.tenant,
    files: positionals,
    text: (name) => (typeof all[name] === "string" ? all[name] : undefined),
    flag: (name) => all[name] === true,
  };
}
