import { expect, it } from "vitest";
import type { HiddenExchange } from "../../../src/ports/turns-port.ts";
import { askedAnchor, placeUnanswered } from "../../../src/turn/history/unanswered.ts";
import type { JsonObject } from "../../../src/wire/read-chunk.ts";

it("the words of a long history are read once, however many steps the turn has", () => {
  let reads = 0;
  const asked: JsonObject = {
    role: "user",
    get content() {
      reads += 1;
      return "what is there?";
    },
  };
  const hidden: HiddenExchange = {
    anchors: [askedAnchor([asked]) ?? ""],
    place: 1,
    messages: [{ role: "tool", content: "found" }],
    lasting: true,
  };
  const messages = [asked, { role: "user", content: "go on" }];
  expect(placeUnanswered(messages, [hidden], []).get(asked)).toEqual(hidden.messages);
  const once = reads;
  expect(placeUnanswered(messages, [hidden], []).get(asked)).toEqual(hidden.messages);
  expect(reads).toBe(once);
});
