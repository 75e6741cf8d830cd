/** The body that goes upstream: the client's own, with messages, tools and tool choice replaced. Pure. */

import type { StepRequest } from "../../ports/model-port.ts";
import type { JsonObject } from "../../wire/read-chunk.ts";

/**
 * @param args the body that the SDK would send; its tools are what the offer middleware let through.
 * @param model sent in place of the client's, where the gateway's settings say so.
 */
export function governBody(request: StepRequest, args: Record<string, unknown>, model: string | undefined): JsonObject {
  const body: JsonObject = { ...request.body, messages: request.messages };
  if (model !== undefined) body.model = model;
  const wires = new Map(request.tools.map((tool) => [tool.name, tool.wire]));
  const tools = namesOf(args.tools).flatMap((name) => (wires.has(name) ? [wires.get(name)] : []));
  if (tools.length > 0) {
    body.tools = tools;
    if (request.toolChoice === undefined) delete body.tool_choice;
    else body.tool_choice = request.toolChoice;
  } else {
    // Providers refuse settings of tools where there are none.
    delete body.tools;
    delete body.tool_choice;
    delete body.parallel_tool_calls;
  }
  return body;
}

function namesOf(tools: unknown): string[] {
  if (!Array.isArray(tools)) return [];
  return tools.map((tool: { function: { name: string } }) => tool.function.name);
}
