import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { type SchemaStep, upgradeObject } from "../../../src/stores/objects/object-schema.ts";

const one: SchemaStep = { up: "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (1)" };
const two: SchemaStep = { up: (sql) => void sql.exec("ALTER TABLE a ADD COLUMN y INTEGER DEFAULT 2"), readableBy: 1 };
const three: SchemaStep = { up: "UPDATE a SET y = 3" };

/** An object that is as if it had never been used. */
const inObject = <T>(body: (storage: DurableObjectStorage) => T): Promise<T> => {
  const stub = env.METRICS_HUB.get(env.METRICS_HUB.newUniqueId());
  return runInDurableObject(stub, async (_, { storage }) => {
    await storage.deleteAll();
    return body(storage);
  });
};

const rows = ({ sql }: DurableObjectStorage) => sql.exec("SELECT * FROM a").toArray();

describe("upgradeObject", () => {
  it("takes each step once, from wherever the object is", () =>
    inObject((storage) => {
      expect(upgradeObject(storage, "Object", [one])).toEqual({ ok: true, value: 1 });
      expect(rows(storage)).toEqual([{ x: 1 }]);
      for (let time = 0; time < 2; time++) {
        expect(upgradeObject(storage, "Object", [one, two, three])).toEqual({ ok: true, value: 3 });
        expect(rows(storage)).toEqual([{ x: 1, y: 3 }]);
      }
    }));

  it("reads one key and writes nothing where the object is up to date", () =>
    inObject((storage) => {
      upgradeObject(storage, "Object", [one]);
      const { kv } = storage;
      const touched: unknown[] = [];
      const watched = new Proxy(storage, {
        get: (_, name) => {
          touched.push(name);
          return name === "kv" ? kv : undefined;
        },
      });
      upgradeObject(watched, "Object", [one]);
      expect(touched).toEqual(["kv"]);
    }));

  it("leaves the object as it was where a step fails", () =>
    inObject((storage) => {
      upgradeObject(storage, "Object", [one]);
      const broken: SchemaStep = { up: "UPDATE a SET x = 9; UPDATE nowhere SET x = 9" };
      expect(() => upgradeObject(storage, "Object", [one, two, broken])).toThrow("nowhere");
      expect(rows(storage)).toEqual([{ x: 1 }]);
      expect(upgradeObject(storage, "Object", [one, two])).toEqual({ ok: true, value: 2 });
      expect(rows(storage)).toEqual([{ x: 1, y: 2 }]);
    }));

  it("lets older code serve as far as the steps say that it can", () =>
    inObject((storage) => {
      upgradeObject(storage, "Object", [one, two]);
      expect(upgradeObject(storage, "Object", [one])).toEqual({ ok: true, value: 2 });
      upgradeObject(storage, "Object", [one, two, three]);
      const refused = upgradeObject(storage, "Object", [one]);
      expect(refused).toEqual({ ok: false, error: expect.stringMatching(/schema 3.*of schema 3 or later.*schema 1/) });
      expect(upgradeObject(storage, "Object", [one, two]).ok).toBe(false);
      expect(rows(storage)).toEqual([{ x: 1, y: 3 }]);
    }));

  it("never forgets that a step in between shut older code out", () =>
    inObject((storage) => {
      const strict: SchemaStep = { up: "UPDATE a SET x = 3" };
      upgradeObject(storage, "Object", [one, strict]);
      upgradeObject(storage, "Object", [one, strict, two]);
      expect(upgradeObject(storage, "Object", [one]).ok).toBe(false);
      expect(upgradeObject(storage, "Object", [one, strict])).toEqual({ ok: true, value: 3 });
    }));
});
