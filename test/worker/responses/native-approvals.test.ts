/** Approvals as items, for a client that asks for them (`x-toolgate-approvals: native`). */
import { describe, expect, it } from "vitest";
import { done, edits, policy } from "../approvals/approvals.ts";
import { type Gateway, gateway } from "../support/gateway.ts";
import { outlineOf, says as upstreamSays } from "../support/script.ts";
import { functionTool, type Item, output, type Responded, respond, says } from "./respond.ts";

const native = { "x-toolgate-approvals": "native" };
const tools = [functionTool("edit_note", { type: "object", properties: { title: { type: "string" } } })];
const asking = (...ids: string[]): Promise<Gateway> =>
  gateway({ policy, upstream: [upstreamSays({ text: "Let me.", calls: ids.map((id) => edits(id)) }), done] });
const hi = says("please change my note");

const questions = ({ output: items }: Responded): readonly Item[] =>
  items.filter(({ type }) => type === "mcp_approval_request");
const answer = (question: Item | undefined, approve: boolean, more: object = {}) => ({
  type: "mcp_approval_response",
  approval_request_id: question?.id,
  approve,
  ...more,
});

for (const stream of [true, false])
  describe(`a call that waits (stream ${stream})`, () => {
    it("is an item that names it, and no call", async () => {
      const gate = await asking("e1");
      const got = await respond(gate, { input: [hi], tools, stream }, native);
      expect(questions(got)).toMatchObject([
        {
          id: expect.stringMatching(/^appr_/),
          server_label: "toolgate",
          name: "edit_note",
          arguments: '{"title":"Gadamer"}',
        },
      ]);
      expect([got.calls, got.text, got.response.status]).toEqual([[], "Let me.", "completed"]);
    });

    it("is released by an approval, once, whether the client sends all items or goes on from the response", async () => {
      for (const goesOn of [true, false]) {
        const gate = await asking("e1");
        const first = await respond(gate, { input: [hi], tools, stream }, native);
        const reply = answer(questions(first)[0], true);
        const body = goesOn
          ? { input: [reply], previous_response_id: first.response.id, tools, stream }
          : { input: [hi, ...first.output, reply], tools, stream };
        const yes = await respond(gate, body, native);
        expect([yes.calls, gate.sent.length]).toMatchObject([[{ call_id: "e1", arguments: '{"title":"Gadamer"}' }], 1]);
        const history = [hi, ...first.output, reply, ...yes.output, output("e1")];
        const last = await respond(gate, { input: history, tools, stream }, native);
        expect([last.text, outlineOf(gate.sent[1]).at(-1)]).toEqual(["Done.", "tool(e1)"]);
        // An old answer at the end of other items answers nothing.
        const replayed = await respond(gate, { input: [...history, says("and?"), reply], tools, stream }, native);
        expect(replayed.calls).toEqual([]);
      }
    });

    it("is denied with a reason, which the model hears", async () => {
      const gate = await asking("e1");
      const first = await respond(gate, { input: [hi], tools, stream }, native);
      const no = answer(questions(first)[0], false, { reason: "too long" });
      const got = await respond(gate, { input: [hi, ...first.output, no], tools, stream }, native);
      expect([got.calls, got.text]).toEqual([[], "Done."]);
      expect(JSON.stringify(gate.sent[1])).toContain("too long");
    });
  });

it("is answered once where two answers are sent together, and by its own user alone", async () => {
  const gate = await asking("e1");
  const first = await respond(gate, { input: [hi], tools }, native);
  const [question] = questions(first);
  const twice = await respond(gate, { input: [hi, answer(question, true), answer(question, false)], tools }, native);
  expect([twice.http, twice.error?.code]).toEqual([400, "invalid_request"]);
  const eve = await gate.keyFor("eve", "user");
  const hers = await respond(gate, { input: [hi, answer(question, true)], tools }, native, eve);
  expect([hers.http, hers.error?.code]).toEqual([400, "approval_unknown"]);
  const together = [1, 2].map(() =>
    respond(gate, { input: [hi, ...first.output, answer(question, true)], tools }, native),
  );
  const released = (await Promise.all(together)).flatMap(({ calls }) => calls.map(({ call_id: id }) => id));
  expect(new Set(released)).toEqual(new Set(["e1"]));
  const rows = (await gate.decisions()).filter(({ effect }) => effect === "allow");
  expect(rows.length).toBe(1);
});

it("takes what is not `true` for a no", async () => {
  const gate = await asking("e1");
  const first = await respond(gate, { input: [hi], tools }, native);
  const odd = { ...answer(questions(first)[0], false), approve: "yes" };
  expect((await respond(gate, { input: [hi, odd], tools }, native)).calls).toEqual([]);
});

it("leaves the other of two calls waiting", async () => {
  const gate = await asking("e1", "e2");
  const first = await respond(gate, { input: [hi], tools }, native);
  expect(questions(first).length).toBe(2);
  const got = await respond(gate, { input: [hi, ...first.output, answer(questions(first)[1], false)], tools }, native);
  expect(questions(got).map(({ id }) => id)).toEqual([questions(first)[0]?.id]);
});
