import { expect, it } from "vitest";
import { readBounded } from "../../src/lib/read-bounded.ts";

const body = (...chunks: readonly string[]) => new Blob([...chunks]).stream();

it("a body is read up to its limit, and not beyond", async () => {
  expect(new TextDecoder().decode(await readBounded(body("ab", "cd"), 4))).toBe("abcd");
  expect(await readBounded(body("ab", "cd", "e"), 4)).toBeUndefined();
  expect(await readBounded(null, 4)).toEqual(new Uint8Array());
});

it("a body that breaks off is no body", async () => {
  const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("gone")) });
  await expect(readBounded(broken, 4)).rejects.toThrow("gone");
});
