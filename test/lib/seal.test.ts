import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { parseKeyRing } from "../../src/lib/key-ring.ts";
import { seal, unseal } from "../../src/lib/seal.ts";

const ring = (setting: string) => {
  const keys = parseKeyRing(setting, "key");
  if (!keys.ok) throw new Error(keys.error);
  return keys.value;
};
const [a, b] = ["a".repeat(32), "b".repeat(32)];
const keys = ring(`k1:${a}`);

it("what was sealed is opened by its key alone, for what it was sealed for, unaltered", async () => {
  const sealed = await seal(keys, "acme:ada:crm", "tøken ".repeat(1000));
  expect(Buffer.from(sealed.split(".").at(-1) ?? "", "base64url").toString()).not.toContain("ken ");
  expect(await seal(keys, "acme:ada:crm", "tøken")).not.toBe(await seal(keys, "acme:ada:crm", "tøken"));
  expect(await unseal(keys, "acme:ada:crm", sealed)).toBe("tøken ".repeat(1000));
  expect(await unseal(ring(`k2:${b},k1:${a}`), "acme:ada:crm", sealed)).toBe("tøken ".repeat(1000));
  expect(await unseal(keys, "acme:eve:crm", sealed)).toBeUndefined();
  expect(await unseal(ring(`k1:${b}`), "acme:ada:crm", sealed)).toBeUndefined();
  expect(await unseal(ring(`k2:${a}`), "acme:ada:crm", sealed)).toBeUndefined();
  const parts = sealed.split(".");
  for (const place of [0, 1, 2, 3]) {
    const altered = parts.map((part, at) => (at === place ? `${part[0] === "A" ? "B" : "A"}${part.slice(1)}` : part));
    expect(await unseal(keys, "acme:ada:crm", altered.join("."))).toBeUndefined();
  }
  for (const broken of ["", "s1", `${sealed}.`, sealed.slice(0, 20), parts.slice(0, 3).join(".")])
    expect(await unseal(keys, "acme:ada:crm", broken)).toBeUndefined();
});
