import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { boundedCache } from "../../src/lib/bounded-cache.ts";

test("what was used least recently goes first", () => {
  const cache = boundedCache<number>({ maxEntries: 2 });
  cache.set("a", 1);
  cache.set("b", 2);
  cache.get("a");
  cache.set("c", 3);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([1, undefined, 3]);
  cache.delete("a");
  expect(cache.get("a")).toBeUndefined();
});

test("a value heavier than the whole is not kept, nor what it would have replaced", () => {
  const cache = boundedCache<number>({ maxEntries: 9, maxWeight: 10 });
  cache.set("a", 1, 4);
  cache.set("b", 2, 4);
  cache.set("a", 3, 11);
  expect([cache.get("a"), cache.get("b")]).toEqual([undefined, 2]);
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
  const cache = boundedCache<number>({ maxEntries: 9 });
  const keys = [..."abcdefgh"].map((letter) => letter.repeat(256));
  for (const [index, key] of keys.entries()) cache.set(key, index);
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
    weight: fc.nat({ max: 12 }),
    drop: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(use), (uses) => {
      const cache = boundedCache<number>({ maxEntries: 3, maxWeight: 10 });
      for (const { key, weight, drop } of uses) {
        if (drop) cache.delete(key);
        else cache.set(key, weight, weight);
        expect(cache.get(key)).toBe(drop || weight > 10 ? undefined : weight);
        const held = ["a", "b", "c", "d", "e"].flatMap((name) => cache.get(name) ?? []);
        expect(held.length).toBeLessThanOrEqual(3);
        expect(held.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(10);
      }
    }),
  );
});
