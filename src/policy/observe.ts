/** Observed policies and tools: calls are decided and recorded, but allowed whatever the decision. Pure. */
import type { CompiledPolicy } from "./compile.ts";
import type { ToolDefinition } from "./facts.ts";
import { isHosted } from "./hosted.ts";
import type { Offer } from "./offer.ts";
import { traitsOf } from "./traits.ts";

/** Then clients and models must get exactly what they would get without the gateway. */
export const observesAll = ({ enforce }: CompiledPolicy): boolean => enforce === "observe";

/** Tools that the provider runs itself are never only observed: their calls cannot be judged before they run. */
export const isObserved = (policy: CompiledPolicy, tool: string): boolean =>
  policy.observes && !isHosted(tool) && (traitsOf(policy, tool).enforce ?? policy.enforce) === "observe";

/** The tools that the model gets: those that are offered, and those that the rules withhold and the policy only observes. */
export function sentTools(
  policy: CompiledPolicy,
  offer: Offer,
  tools: readonly ToolDefinition[],
): readonly ToolDefinition[] {
  if (!policy.observes) return offer.offered;
  const offered = new Map(offer.offered.map((tool) => [tool.name, tool]));
  return tools.flatMap((tool) => {
    // As the client sent it, even if the policy has another description.
    if (isObserved(policy, tool.name)) return [tool];
    return offered.get(tool.name) ?? [];
  });
}

/** Without the handshake if the whole policy is observed: it is the gateway's own, and no client knows it. */
export function observedOffer(policy: CompiledPolicy, offer: Offer): Offer {
  if (!observesAll(policy) || !offer.handshake) return offer;
  const { name } = offer.handshake;
  return { ...offer, handshake: undefined, callable: new Set([...offer.callable].filter((one) => one !== name)) };
}
