/** Operators find in each reply where its turn is shown; nobody else does. */
import { expect, it } from "vitest";
import { gateway } from "../support/gateway.ts";
import { ask, says, user } from "../support/script.ts";

const PUBLIC_URL = "https://tools.example.com/gate/";

it.each([
  ["an operator", "admin", { PUBLIC_URL }, "https://tools.example.com/gate/console/turns/"],
  ["a user", "user", { PUBLIC_URL }, undefined],
  ["an operator of a gateway that knows no address of its own", "admin", { TOOLGATE_DEV: "" }, undefined],
  [
    "an operator of one that runs for development",
    "admin",
    { TOOLGATE_DEV: "1" },
    "https://gateway.test/console/turns/",
  ],
])("the note of %s", async (_, role, variables, page) => {
  const gate = await gateway({ upstream: says({ text: "hello" }), variables });
  const key = await gate.keyFor("boss", role);
  const { note } = await ask(gate, { messages: [user("hi")] }, { authorization: `Bearer ${key}` });
  expect((note as { timeline?: string }).timeline).toBe(page && `${page}${note.turn_id}`);
});
