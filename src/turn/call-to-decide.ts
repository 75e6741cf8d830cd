/** A call as UserGuard is asked about it: what the pure rules said, what goes on if it may, and what is recorded. */
import { disclosureText } from "../approvals/disclosure-text.ts";
import { canonicalJson } from "../lib/canonical-json.ts";
import { sha256Hex } from "../lib/digest.ts";
import type { ModelCall } from "../model/model-port.ts";
import { traitsOf } from "../policy/traits.ts";
import type { Vetted } from "../policy/vet.ts";
import { discloseFor } from "./disclose-for.ts";
import type { CallToDecide } from "./guard-port.ts";
import type { Arguments } from "./read-arguments.ts";
import { recordedArguments } from "./recorded-arguments.ts";
import type { Turn } from "./turn.ts";

/** @param value the arguments as they were read; null where they could not be. */
export function callToDecide(
  turn: Turn,
  call: ModelCall,
  { effect, reasons, counted }: Vetted,
  value: Arguments | null,
  handshake = false,
): CallToDecide {
  const { policy } = turn.input;
  const traits = traitsOf(policy, call.name);
  const recorded = policy.audit.logToolCalls && value !== null ? recordedArguments(value, traits.redact) : null;
  const disclosed = (asks: string) => disclosureText(discloseFor(turn, traits, recorded ?? {}, [asks], reasons));
  return {
    callId: call.id,
    tool: call.name,
    families: handshake ? [] : [...traits.families],
    arguments: value === null ? call.arguments : JSON.stringify(value),
    extra: call.extra,
    recorded,
    disclosed: {
      firstUse: counted.gate ? disclosed("first_use") : "",
      confirmation: counted.confirmation ? disclosed("confirmation_required") : "",
    },
    digest: value === null ? null : sha256Hex(canonicalJson(value)),
    effect,
    reasons,
    counted,
    handshake,
    undoable: traits.undo !== undefined,
  };
}
