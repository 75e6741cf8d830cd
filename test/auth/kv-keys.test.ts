import { expect, test } from "vitest";
import { createKey, keyLookUp } from "../../src/auth/kv-keys.ts";
import { sha256Hex } from "../../src/lib/digest.ts";
import { failingKv } from "../stores/policies/failing-kv.ts";

const owner = { tenant: "acme", user: "ada", role: "user", connections: ["gmail"] };
const unknownToken = `tg_${"A".repeat(43)}`;

test("a created key is found by its token, which is not stored", async () => {
  const kv = failingKv();
  const { token, key } = await createKey(kv, owner, 1_000);
  expect(token).toMatch(/^tg_[A-Za-z0-9_-]{43}$/);
  expect(await keyLookUp(kv)(token, 1_000)).toEqual({
    status: "active",
    key: { ...owner, id: key.id, createdAt: 1_000 },
  });
  expect(kv.reads).toEqual([`key:${sha256Hex(token)}`]);
  expect(await kv.get(`key:${sha256Hex(token)}`)).not.toContain(token.slice(3));
});

test("a key is remembered for 60 s, and its end then shows", async () => {
  const kv = failingKv();
  const lookUp = keyLookUp(kv);
  const { token } = await createKey(kv, owner, 0);
  await lookUp(token, 0);
  await kv.delete(`key:${sha256Hex(token)}`);
  expect(await lookUp(token, 59_999)).toMatchObject({ status: "active" });
  expect(await lookUp(token, 60_000)).toEqual({ status: "unknown" });
  expect(await lookUp(token, 60_001)).toEqual({ status: "unknown" });
  expect(kv.reads).toHaveLength(2);
});

test("an unknown token is remembered for 10 s", async () => {
  const kv = failingKv();
  const lookUp = keyLookUp(kv);
  for (const now of [0, 9_999, 10_000]) expect(await lookUp(unknownToken, now)).toEqual({ status: "unknown" });
  expect(kv.reads).toHaveLength(2);
});

test("a key ends at its time, also while it is remembered", async () => {
  const kv = failingKv();
  const lookUp = keyLookUp(kv);
  const { token } = await createKey(kv, { ...owner, expiresAt: 5_000 }, 0);
  expect(await lookUp(token, 4_999)).toMatchObject({ status: "active" });
  expect(await lookUp(token, 5_000)).toEqual({ status: "expired" });
});

test("what has not the form of a token costs no read", async () => {
  const kv = failingKv();
  for (const token of ["", "tg_short", `${unknownToken}A`, `sk_${"A".repeat(43)}`, `${unknownToken}\n`]) {
    expect(await keyLookUp(kv)(token, 0)).toEqual({ status: "unknown" });
  }
  expect(kv.reads).toEqual([]);
});

test("while the store fails a token is neither known nor unknown, nor served past its 60 s", async () => {
  const kv = failingKv();
  const lookUp = keyLookUp(kv);
  const { token } = await createKey(kv, owner, 0);
  await lookUp(token, 0);
  kv.failing = true;
  expect(await lookUp(token, 1)).toMatchObject({ status: "active" });
  expect(await lookUp(token, 60_000)).toEqual({ status: "unavailable" });
  kv.failing = false;
  expect(await lookUp(token, 60_000)).toMatchObject({ status: "active" });
});

test.each(["{", "null", "{}", '{"id":"key_1","tenant":"acme","user":"ada","role":7,"connections":[],"createdAt":0}'])(
  "a stored value that is no key opens nothing: %s",
  async (value) => {
    const kv = failingKv();
    await kv.put(`key:${sha256Hex(unknownToken)}`, value);
    expect(await keyLookUp(kv)(unknownToken, 0)).toEqual({ status: "unknown" });
  },
);

test("a network that sends many unknown tokens costs no more reads, and keeps nobody else out", async () => {
  const kv = failingKv();
  const lookUp = keyLookUp(kv);
  const { token } = await createKey(kv, owner, 0);
  await lookUp(token, 0, "1.2.3.4");
  const made = (i: number) => `tg_${String(i).padStart(43, "A")}`;
  const found = await Promise.all(Array.from({ length: 150 }, (_, i) => lookUp(made(i), 0, "1.2.3.4")));
  expect(found.filter(({ status }) => status === "unknown")).toHaveLength(100);
  expect(found.filter(({ status }) => status === "throttled")).toHaveLength(50);
  expect(kv.reads).toHaveLength(101);
  // A key that the isolate knows, another network, and the next minute.
  expect(await lookUp(token, 0, "1.2.3.4")).toMatchObject({ status: "active" });
  expect(await lookUp(made(200), 0, "5.6.7.8")).toEqual({ status: "unknown" });
  expect(await lookUp(made(201), 60_000, "1.2.3.4")).toEqual({ status: "unknown" });
});

test("a key that the isolate knew is no unknown token when it is read anew, whatever its network sends", async () => {
  const kv = failingKv();
  const lookUp = keyLookUp(kv);
  const { token } = await createKey(kv, owner, 0);
  await lookUp(token, 0, "1.2.3.4");
  const later = 60_000;
  for (let i = 0; i < 101; i++) await lookUp(`tg_${String(i).padStart(43, "A")}`, later, "1.2.3.4");
  expect(await lookUp(token, later, "1.2.3.4")).toMatchObject({ status: "active" });
});

test("a flood of unknown tokens from everywhere, and from nowhere, costs an isolate so many reads a minute", async () => {
  const kv = failingKv();
  const lookUp = keyLookUp(kv);
  const { token } = await createKey(kv, owner, 0);
  await lookUp(token, 0, "1.2.3.4");
  kv.reads.length = 0;
  const flood = async (now: number) => {
    for (let i = 0; i < 5_000; i++)
      await lookUp(`tg_${String(i).padStart(43, "A")}`, now, i % 2 === 0 ? "" : `10.0.${i % 250}.${i % 199}`);
  };
  await flood(0);
  expect(kv.reads).toHaveLength(3_000);
  expect(await lookUp(token, 1, "1.2.3.4")).toMatchObject({ status: "active" });
  expect(await lookUp(`tg_${"B".repeat(43)}`, 1, "1.2.3.4")).toEqual({ status: "throttled" });
  expect(await lookUp(`tg_${"B".repeat(43)}`, 60_000, "1.2.3.4")).toEqual({ status: "unknown" });
});

test("known tokens do not count as unknown, however many a network has", async () => {
  const kv = failingKv();
  const lookUp = keyLookUp(kv);
  for (let i = 0; i < 120; i++) {
    const { token } = await createKey(kv, owner, 0);
    expect(await lookUp(token, 0, "1.2.3.4")).toMatchObject({ status: "active" });
  }
});
