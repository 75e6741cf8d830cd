/** `policy pull`: a tenant's policy, as it is in force or as it was, to a file or to standard output. */
import { writeFileSync } from "node:fs";
import { inForce, versionOf } from "./admin-client.ts";
import type { Output } from "./command.ts";
import { readRemoteArguments } from "./remote-arguments.ts";
import { sinceText } from "./update-text.ts";

export const pullUsage = "pull [--gateway URL] [--tenant T] [--version VERSION] [--out FILE]";

export async function pullCommand(args: readonly string[], out: Output): Promise<number> {
  const { gateway, tenant, files, text } = readRemoteArguments(args, { version: "string", out: "string" });
  if (files.length > 0) return out.usage(pullUsage);
  const failed = (lines: readonly string[]): number => {
    for (const line of lines) out.fail(line);
    return 1;
  };
  if (!gateway.ok) return failed(gateway.error);
  const version = text("version");
  const policy = await (version === undefined
    ? inForce(gateway.value, tenant)
    : versionOf(gateway.value, tenant, version));
  if (!policy.ok) return failed(policy.error);
  const document = JSON.stringify(policy.value.document, null, 2);
  const path = text("out");
  if (path === undefined) {
    out.print(document);
    return 0;
  }
  try {
    writeFileSync(path, `${document}\n`);
  } catch (error) {
    return failed([`${path} cannot be written: ${(error as Error).message}`]);
  }
  out.print(`${path}: the policy of tenant \`${tenant}\`, ${sinceText(policy.value)}`);
  return 0;
}
