/**
 * Attacks by an upstream's event stream, sent whole and in pieces of seven bytes.
 * @module-tag attack/streams
 */
import { expect, it } from "vitest";
import { sse, toStream } from "../../support/sse.ts";
import { type Outcome, outcomeOf, sharedStage } from "./distrustful-client.ts";
import { streamAttacks } from "./stream-attacks.ts";

const headers = { "content-type": "text/event-stream" };

it.each(streamAttacks)("%s: %s", async (_name, seen, sent) => {
  const { play } = await sharedStage();
  const text = typeof sent === "string" ? sent : sse(sent, { done: true });
  const outcomes: Outcome[] = [];
  for (const splitEvery of [undefined, 7]) {
    outcomes.push(outcomeOf(await play(() => new Response(toStream(text, { splitEvery }), { headers }))));
  }
  expect(outcomes).toEqual([seen, seen]);
});
