import { describe, expect, test } from "vitest";
import { issuerKeys } from "../../src/auth/issuer-keys.ts";

const url = "https://login.example.com/jwks.json";

describe("the keys of an issuer", () => {
  test("are asked for again after requests that ended without a word, as a client's that is gone does", async () => {
    let asked = 0;
    let silent = true;
    const keys = issuerKeys((async () => {
      asked += 1;
      return silent ? new Promise(() => {}) : Response.json({ keys: [] });
    }) as typeof fetch);
    for (let request = 0; request < 150; request++) void keys.get(url, 1_000);
    expect(asked).toBe(100);
    silent = false;
    expect(await keys.get(url, 5_999)).toBeUndefined();
    expect(await keys.get(url, 6_000)).toBeDefined();
    expect(asked).toBe(101);
  });
});
