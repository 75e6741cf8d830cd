/** The model of the pictures: makes the call that is written down for the user's words, else says that it is done. */
import { json } from "node:stream/consumers";
import { startLoopback } from "../../../src/cli/local/loopback-server.ts";
import { writeAnswer } from "../../../src/cli/write-answer.ts";

export type ScriptedCall = readonly [tool: string, args: object];

interface ChatBody {
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** @param calls by the words of the last message. */
export async function startScriptedModel(calls: ReadonlyMap<string, ScriptedCall>) {
  const { origin, stop } = await startLoopback(async (request, response) => {
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ object: "list", data: [{ id: "desk-model", object: "model" }] }));
      return;
    }
    const { stream, messages } = (await json(request)) as ChatBody;
    const call = calls.get(String(messages.at(-1)?.content));
    const answer = call ? { calls: [{ name: call[0], arguments: JSON.stringify(call[1]) }] } : { text: "Done." };
    writeAnswer(response, stream === true, answer);
  });
  return { url: `${origin}/v1`, stop };
}
