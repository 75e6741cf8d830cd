/** `tools/list`: the tools that the session could call now, as the offer of a turn has them. Pure. */
import type { JsonObject } from "../../lib/json/json-value.ts";
import { traitsOf } from "../../policy/traits.ts";
import { mcpTarget } from "../../tools/managed-tools.ts";
import { mcpToolView } from "../../tools/tool-view.ts";
import { offerStep } from "../../turn/offer/offer-step.ts";
import { isOffer } from "../../turn/offer/step-offer.ts";
import type { Turn } from "../../turn/turn.ts";

/** @param turn one that is never opened. */
export function listedTools(turn: Turn, now: number): readonly JsonObject[] {
  const step = offerStep(turn, now);
  if (!isOffer(step)) return [];
  const { policy } = turn.input;
  const { handshake, callable, offered } = step.offer;
  // What may be read of servers has requests of its own.
  const called = offered.filter(({ name }) => mcpTarget(policy, name)?.method === undefined);
  const tools = called.map((definition) => {
    const traits = traitsOf(policy, definition.name);
    const undo = traits.undo && callable.has(traits.undo.tool) ? traits.undo.tool : undefined;
    return mcpToolView(policy, {
      definition,
      traits,
      managed: true,
      undo,
      modes: [],
      missing: [],
      withoutToken: undefined,
    });
  });
  return handshake ? [...tools, handshakeView(handshake.definition)] : tools;
}

/** It changes what can be called, and nothing else. */
const handshakeView = ({
  name,
  description,
  parameters,
}: {
  name: string;
  description?: string;
  parameters?: unknown;
}) => ({
  name,
  description,
  inputSchema: parameters,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  _meta: { "toolgate/handshake": true },
});
