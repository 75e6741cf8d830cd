import { expect, test } from "vitest";
import { operatorKey } from "../../src/cli/first-operator.ts";
import { keyLookUp } from "../../src/stores/kv-keys.ts";
import { memoryKv } from "../../src/stores/memory-kv.ts";

test("what the command stores opens for an operator, and does not hold the token", async () => {
  const made = await operatorKey("acme", 1_000);
  if (!made.ok) throw new Error(made.error);
  const { token, entry, command } = made.value;
  const key = { tenant: "acme", role: "admin", operator: true };
  expect(await keyLookUp(memoryKv([entry]))(token, 2_000)).toMatchObject({ status: "active", key });
  expect(command).toContain(`'${entry[0]}' '${entry[1]}'`);
  expect(command).not.toContain(token.slice(3));
});

test.each(["", "a b", "a'; rm -rf '", "$(x)"])(
  "a tenant that a shell would read otherwise is refused: %j",
  async (tenant) => {
    expect(await operatorKey(tenant, 1_000)).toMatchObject({ ok: false });
  },
);
