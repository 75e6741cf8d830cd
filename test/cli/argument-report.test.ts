import { expect, it } from "vitest";
import { argumentText, reportArguments } from "../../src/cli/policy/check-command.ts";
import { policyOf } from "../policy/arbitraries.ts";

it("names the arguments whose values matter, with the role that the gateway takes them for", () => {
  const string = { type: "string" };
  const parameters = {
    type: "object",
    properties: { to: { type: "array", items: string }, body: string, total: string },
  };
  const settings = { category: "modification", parameters };
  const policy = policyOf({
    tools: {
      send_mail: { ...settings, arguments: { total: { role: "amount" } } },
      find_mail: { category: "read_only" },
    },
  });
  expect(reportArguments(policy).map(argumentText)).toEqual([
    "send_mail /to/*: destination, because its name says `to`",
    "send_mail /total: amount, because the policy says so",
  ]);
});
