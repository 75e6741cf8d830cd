import { expect, it } from "vitest";
import type { JsonObject } from "../../../src/lib/json/json-value.ts";
import { placeExchanges } from "../../../src/turn/history/hidden-history.ts";
import { digestMessages } from "../../../src/turn/history/retained-results.ts";
import { policyOf } from "../../support/policy.ts";

const policy = policyOf({});

it("the words of a long history are read once, however many steps the turn has", () => {
  let reads = 0;
  const asked: JsonObject = {
    role: "user",
    get content() {
      reads += 1;
      return "what is there?";
    },
  };
  const messages = [asked, { role: "user", content: "go on" }];
  const digest = digestMessages([asked]).digested[0]?.digest ?? "";
  const anchor = { kind: "request" as const, digest, position: 1, runs: [] };
  const result = { role: "tool", content: "found" };
  const placed = () => placeExchanges(policy, messages, [{ anchor, messages: [result] }]);
  expect(placed()).toContain(result);
  const once = reads;
  expect(placed()).toContain(result);
  expect(reads).toBe(once);
});
