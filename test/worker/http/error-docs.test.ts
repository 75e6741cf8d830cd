/** Which errors name their page, and that the page has them. */
import { expect, it } from "vitest";
import errors from "../../../docs/errors.md?raw";
import { gateway } from "../support/gateway.ts";
import { user } from "../support/script.ts";

const errorOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string; docs?: string } }).error;
const hi = { model: "m", messages: [user("hi")] };

it("is named by an error of a route, of a request and of a turn", async () => {
  const gate = await gateway({ policy: { unlistedTools: "deny" } });
  const tools = [{ type: "function", function: { name: "drop_all" } }];
  const forced = { type: "function", function: { name: "drop_all" } };
  const found = [
    await errorOf(await gate.fetch("/v1/approvals?nonsense=1")),
    await errorOf(await gate.chat({ ...hi, functions: [] })),
    await errorOf(await gate.chat({ ...hi, tools, tool_choice: forced })),
  ];
  expect(found.map(({ code }) => code)).toEqual(["unknown_parameter", "unsupported_parameter", "tool_policy_blocked"]);
  for (const { code, docs } of found) {
    expect(docs).toBe(`docs/errors.md#${code}`);
    expect(errors).toContain(`<a id="${code}">`);
  }
});

it("is not named by a provider's error, which keeps its own code", async () => {
  const error = { message: "no", type: "invalid_request_error", code: "context_length_exceeded", param: null };
  const gate = await gateway({ upstream: () => Response.json({ error }, { status: 400 }) });
  expect(await errorOf(await gate.chat(hi))).toEqual(error);
});
