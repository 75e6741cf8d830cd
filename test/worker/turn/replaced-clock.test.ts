import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { gateway, tool } from "../support/gateway.ts";
import { ask, call, says, user } from "../support/script.ts";

const HOUR = 3_600_000;
const policy = {
  handshake: { select: "off" },
  tools: { send_mail: { category: "external" }, look: { category: "read_only", roles: ["admin"] } },
};
const request = { messages: [user("write to bob")], tools: [tool("send_mail"), tool("look")] };

it("the gateway and the user's object go by the clock that they are given", async () => {
  let ahead = 0;
  const upstream = says({ calls: [call("c", "send_mail", { to: "bob" })] });
  const gate = await gateway({ policy, upstream, now: () => Date.now() + ahead });
  await runInDurableObject(gate.stub, (object) => Object.assign(object, { now: () => Date.now() + ahead }));
  const first = await ask(gate, request);
  expect(first.note.stop_reason).toBe("awaiting_approval");
  ahead = 25 * HOUR;
  const listed = await gate.guard.approvals.list({ limit: 10, order: "asc" });
  expect(listed.data).toMatchObject([{ tool: "send_mail", status: "expired" }]);
  const later = await ask(gate, request);
  expect(later.note.stop_reason).toBe("awaiting_approval");
  const ids = [first, later].map(({ note }) => note.turn_id);
  const times = (await gate.turns())
    .filter(({ id }) => ids.includes(String(id)))
    .map(({ at }) => Date.parse(String(at)));
  expect(Number(times[1]) - Number(times[0])).toBeGreaterThanOrEqual(25 * HOUR);
});

it("an observer gets what each call of the model is offered", async () => {
  const seen: unknown[] = [];
  const gate = await gateway({
    policy,
    upstream: says({ text: "ok" }),
    observe: (turn, { tools, withheld }) =>
      seen.push({
        turn,
        tools: tools.map(({ name }) => name),
        withheld: withheld.map(({ name, reasons }) => [name, ...reasons.map(({ code }) => code)]),
      }),
  });
  const { note } = await ask(gate, request);
  expect(seen).toEqual([{ turn: note.turn_id, tools: ["send_mail"], withheld: [["look", "role_forbids"]] }]);
});
