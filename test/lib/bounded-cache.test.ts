import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { boundedCache, CACHE_BYTES, entryBytes } from "../../src/lib/bounded-cache.ts";

/** Room for so many entries whose keys have one letter, with these bytes of values between them. */
const roomFor = (entries: number, bytes = 0) => ({ maxBytes: entries * entryBytes("a", 0) + bytes });

test("what was used least recently goes first", () => {
  const pushed: number[] = [];
  const cache = boundedCache<number>({ ...roomFor(2), pushedOut: (value) => pushed.push(value) });
  cache.set("a", 1, 0);
  cache.set("b", 2, 0);
  cache.get("a");
  cache.set("c", 3, 0);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([1, undefined, 3]);
  cache.delete("a");
  expect(cache.get("a")).toBeUndefined();
  // Neither what was deleted, nor what was replaced.
  cache.set("c", 4, 0);
  expect(pushed).toEqual([2]);
});

test("a value heavier than the whole is not kept, nor what it would have replaced", () => {
  const cache = boundedCache<number>(roomFor(2, 10));
  cache.set("a", 1, 4);
  cache.set("b", 2, 4);
  cache.set("a", 3, 500);
  expect([cache.get("a"), cache.get("b")]).toEqual([undefined, 2]);
});

test("the shares of all caches together leave an isolate room for its code and its requests", () => {
  const together = Object.values(CACHE_BYTES).reduce((sum, one) => sum + one, 0);
  expect(together).toBeLessThanOrEqual(80 * 1024 * 1024);
});

test("what is asked for under a slice of a long text does not keep the text", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const held = () => {
    collect();
    // Bytes are given back beside the program; only the next collection waits until they are.
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const cache = boundedCache<number>({ maxBytes: 100_000 });
  const keys = [..."abcdefgh"].map((letter) => letter.repeat(256));
  for (const [index, key] of keys.entries()) cache.set(key, index, 0);
  const before = held();
  // As bodies come: from bytes.
  const text = (key: string) => new TextDecoder().decode(new Uint8Array(10_000_000).fill(key.charCodeAt(0)));
  expect(keys.map((key) => cache.get(text(key).slice(0, 256)))).toEqual([...keys.keys()]);
  // Of eighty millions.
  expect(held() - before).toBeLessThan(20_000_000);
  expect(keys.map((key) => cache.get(key))).toEqual([...keys.keys()]);
});

test("the_bounds_hold_after_any_use", () => {
  const use = fc.record({
    key: fc.constantFrom("a", "b", "c", "d", "e"),
    bytes: fc.nat({ max: 700 }),
    drop: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(use), (uses) => {
      const { maxBytes } = roomFor(3, 10);
      const cache = boundedCache<number>({ maxBytes });
      for (const { key, bytes, drop } of uses) {
        if (drop) cache.delete(key);
        else cache.set(key, bytes, bytes);
        const isKept = !drop && entryBytes(key, bytes) <= maxBytes;
        expect(cache.get(key)).toBe(isKept ? bytes : undefined);
        const held = ["a", "b", "c", "d", "e"].flatMap((name) => cache.get(name) ?? []);
        expect(held.reduce((sum, one) => sum + entryBytes("a", one), 0)).toBeLessThanOrEqual(maxBytes);
      }
    }),
  );
});
