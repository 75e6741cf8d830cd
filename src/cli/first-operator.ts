/** A key that may act on every tenant, as what KV must hold for it. */
import { err, ok, type Result } from "../lib/result.ts";
import { createKey } from "../stores/kv-keys.ts";

export interface OperatorKey {
  readonly token: string;
  /** Name and value in KV: neither holds the token. */
  readonly entry: readonly [string, string];
  readonly command: string;
}

/** @param tenant whose admin it is, beside being everybody's operator. */
export async function operatorKey(tenant: string, now: number): Promise<Result<OperatorKey, string>> {
  // It stands between quotes in a shell's command.
  if (!/^[\w.-]{1,128}$/.test(tenant)) return err(`the tenant \`${tenant}\` must have 1 to 128 of \`A-Za-z0-9_.-\``);
  let entry: readonly [string, string] = ["", ""];
  const put = async (name: string, value: string) => {
    entry = [name, value];
  };
  const owner = { tenant, user: "operator", role: "admin", connections: [], operator: true };
  const { token } = await createKey({ get: async () => null, put, delete: async () => {} }, owner, now);
  const [name, value] = entry;
  return ok({ token, entry, command: `npx wrangler kv key put --binding KV --remote '${name}' '${value}'` });
}
