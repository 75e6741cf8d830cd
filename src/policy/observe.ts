/** What is decided and recorded, and let through all the same: the policy as a whole, or some of its tools. Pure. */
import type { CompiledPolicy } from "./compile.ts";
import type { ToolDefinition } from "./facts.ts";
import { isHosted } from "./hosted.ts";
import type { Offer } from "./offer.ts";
import { traitsOf } from "./traits.ts";

/** Nothing that a client or a model gets may then differ from what they get without the gateway. */
export const observesAll = ({ enforce }: CompiledPolicy): boolean => enforce === "observe";

/** What the provider runs itself is never only observed: nobody can judge its calls before they run. */
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
    // As the client sent it: also where the policy has other words for it.
    if (isObserved(policy, tool.name)) return [tool];
    return offered.get(tool.name) ?? [];
  });
}

/** Without the handshake, where all is observed: it is the gateway's own, and no client knows it. */
export function observedOffer(policy: CompiledPolicy, offer: Offer): Offer {
  if (!observesAll(policy) || !offer.handshake) return offer;
  const { name } = offer.handshake;
  return { ...offer, handshake: undefined, callable: new Set([...offer.callable].filter((one) => one !== name)) };
}
