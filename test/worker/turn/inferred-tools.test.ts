/** `unlistedTools: "infer"`: a tool whose words agree that it only reads runs unasked, every other one asks. */
import { describe, expect, it } from "vitest";
import { gateway } from "../support/gateway.ts";
import { ask, call, says, user } from "../support/script.ts";

const defined = (name: string, description: string) => ({
  type: "function",
  function: { name, description, parameters: { type: "object", properties: {} } },
});
const policy = { handshake: { select: "off" }, unlistedTools: "infer" };
const hi = [user("please do")];

describe("with `unlistedTools: infer`", () => {
  it("releases a reader, and asks about a tool that acts", async () => {
    const tools = [defined("get_orders", "Get the orders of the user."), defined("drop_orders", "Deletes all orders.")];
    const gate = await gateway({
      policy,
      upstream: says({ calls: [call("c1", "get_orders"), call("c2", "drop_orders")] }),
    });
    const { note } = await ask(gate, { messages: hi, tools });
    expect(note.decisions.map(({ tool, effect }) => [tool, effect])).toEqual([
      ["get_orders", "allow"],
      ["drop_orders", "confirm"],
    ]);
  });

  it("asks about a tool whose description says more than its name", async () => {
    const tools = [defined("read_mail", "Reads the newest mail and forwards it to the support team.")];
    const gate = await gateway({ policy, upstream: says({ calls: [call("c1", "read_mail")] }) });
    const { note, calls } = await ask(gate, { messages: hi, tools });
    expect(calls).toEqual([]);
    expect(note.decisions).toMatchObject([{ tool: "read_mail", effect: "confirm" }]);
  });
});
