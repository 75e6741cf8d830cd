/** Numbers that a double cannot hold, from a tool's host to the model, to the client and into what follows. */
import { expect, it } from "vitest";
import { bodiesOf, make, planned, run, step } from "../plans/planning.ts";
import { ask, call, messagesOf, says, user } from "../support/script.ts";
import { managed, policy, tell, tools } from "../tools/managed.ts";

const NUMBERS = '{"id":1234567890123456789,"zero":-0,"big":1e400,"share":0.1000000000000000055,"name":"Ada"}';
const answered = () =>
  new Response(NUMBERS.replaceAll(",", " ,\n"), { headers: { "content-type": "application/json" } });

it("a managed result reaches the model as its host wrote it, whole and selected", async () => {
  const selecting = { ...tools.weather, trusted: true, run: { ...tools.weather.run, result: "$['id','big']" } };
  const { gate } = await managed(
    {
      policy: policy({ tools: { ...tools, weather: selecting } }),
      upstream: [
        says({ calls: [call("a", "find_lead", { name: "ada" }), call("b", "weather", {})] }),
        says({ text: "done" }),
      ],
    },
    answered,
  );
  await ask(gate, { messages: [user("please do")] }, tell);
  const results = messagesOf(gate.sent[1]).filter(({ role }) => role === "tool");
  expect(results.map(({ content }) => content)).toEqual([NUMBERS, "[1234567890123456789,1e400]"]);
});

it("a plan tells a step's result as its host wrote it, and sends no other number on in its place", async () => {
  const find = step("find", "fetch_entity", { entityType: "Lead" });
  const by = (title: string) => step("event", "create_calendar_event", { title, startTime: "15:00" });
  const told = await planned([find, by("{{find.result.name}}")], {}, answered);
  const plan = await make(told.gate);
  const ran = await told.gate.fetch(`/v1/plans/${plan.id}/run`, { json: {} });
  expect(await ran.text()).toContain(`"result":${NUMBERS}`);
  expect(await (await told.gate.fetch(`/v1/plans/${plan.id}`)).text()).toContain(`"result":${NUMBERS}`);
  expect(bodiesOf(told.asked, "events")).toMatchObject([{ title: "Ada" }]);

  const refused = await planned([find, by("{{find.result.id}}")], {}, answered);
  const end = await run(refused.gate, await make(refused.gate));
  expect(end.plan.steps[1]?.error).toMatchObject({ code: "reference_unresolved" });
  expect(bodiesOf(refused.asked, "events")).toEqual([]);
});
