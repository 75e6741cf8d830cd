import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { compileEntities } from "../../../src/intent/entities/compile-entities.ts";
import { compileLexical } from "../../../src/intent/lexical/lexical.ts";
import { policyBytes } from "../../../src/policy/document/policy-bytes.ts";
import { policyOf } from "../../support/policy.ts";

const map = <T>(count: number, make: (index: number) => T) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, make(index)]));

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const held = () => {
  collect();
  return process.memoryUsage().heapUsed;
};

const documents = {
  keywords: { intents: { A: { keywords: Array.from({ length: 3_000 }, (_, index) => `word${index}`) } } },
  patterns: { intents: { A: { patterns: Array.from({ length: 200 }, (_, index) => `[a-c]+[0-9]{2}w${index}`) } } },
  "a large pattern": { intents: { A: { patterns: [".{0,900}b", ".{0,900}c"] } } },
  entities: { entities: map(300, (index) => ({ pattern: [`(\\w+)${index}`, `x${index}(.+?)y`] })) },
  "injection sets": { injection: { sets: ["k0"], custom: map(300, (index) => [`w${index}[a-c]*z`]) } },
  families: { families: map(400, (index) => [`tool_${index}`, `other_${index}`]) },
  tools: { tools: map(500, (index) => ({ category: "read_only", destination: `place ${index}` })) },
  "a schema": { tools: { t: { parameters: { properties: map(2_000, () => ({})) } } } },
};

it.each(Object.entries(documents))("a policy of %s holds no more than is reckoned", (_, document) => {
  const text = JSON.stringify(document);
  const make = () => {
    const policy = policyOf(JSON.parse(text));
    return { policy, lexical: compileLexical(policy), entities: compileEntities(policy) };
  };
  const { policy } = make();
  const before = held();
  const kept = [make(), make(), make(), make()];
  expect((held() - before) / kept.length).toBeLessThan(policyBytes(policy, text.length));
});
