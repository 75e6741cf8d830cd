import { parseArgs } from "node:util";
import type { Result } from "../../lib/result.ts";
import { missingFile } from "../read-json-file.ts";
import { DEFAULT_GATEWAY, type GatewayAddress, readGatewayAddress } from "./admin-client.ts";

/** What every `policy` command writes to. */
export interface Output {
  /** The result: standard output. */
  print(text: string): void;
  /** What is wrong: standard error. */
  fail(text: string): void;
  /** Tells how the command is called; answers the exit code 2. */
  usage(text: string): number;
}

export const terminal: Output = {
  print: (text) => console.log(text),
  fail: (text) => console.error(text),
  usage(text) {
    console.error(`usage: npm run policy -- ${text}`);
    return 2;
  },
};

/** Tells of each file that is not there; false where all are. */
export function tellsMissing(paths: readonly string[], out: Output): boolean {
  const missing = paths.flatMap((path) => missingFile(path) ?? []);
  for (const line of missing) out.fail(line);
  return missing.length > 0;
}

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
