import { expect, it } from "vitest";
import { propertyNames } from "../../../src/lib/json/property-names.ts";

it("finds the names of a schema at any depth, and says where there are none", () => {
  const schema = {
    properties: { a: { items: { properties: { b: {} } } }, properties: { type: "string" } },
    $defs: { x: { anyOf: [{ properties: { c: {} } }] } },
  };
  expect([...(propertyNames(schema) ?? [])].sort()).toEqual(["a", "b", "c", "properties"]);
  for (const none of [undefined, null, {}, { type: "object" }]) expect(propertyNames(none)).toBeUndefined();
});
