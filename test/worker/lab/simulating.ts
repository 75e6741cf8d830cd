/** Simulates turns as an operator of a gateway's tenant. */
import type { Gateway } from "../support/gateway.ts";

interface ReasonOf {
  readonly code: string;
  readonly message: string;
}

interface SimulatedBody {
  readonly policy: string;
  readonly in_force: boolean;
  readonly state: string;
  readonly intents: readonly string[];
  readonly untrusted: boolean;
  readonly detection: {
    readonly intent: string | null;
    readonly intents: readonly { readonly name: string; readonly evidence: readonly { readonly text: string }[] }[];
  } | null;
  readonly steps: readonly {
    readonly state: string;
    readonly offered: readonly string[];
    readonly withheld: readonly { readonly name: string; readonly reasons: readonly ReasonOf[] }[];
    readonly handshake: { readonly name: string; readonly intents: readonly string[] } | null;
    readonly calls: readonly {
      readonly name: string;
      readonly effect: string;
      readonly reasons: readonly ReasonOf[];
      readonly origins: readonly { readonly path: string; readonly origin: string; readonly tool?: string }[];
      readonly question: { readonly text: string; readonly approval: { readonly question: string } } | null;
    }[];
  }[];
  readonly stopped: { readonly reason: string; readonly message: string } | null;
  readonly error: { readonly code: string; readonly message: string; readonly param: string | null };
}

export interface Simulated {
  readonly status: number;
  readonly body: SimulatedBody;
}

export const simulating =
  (gate: Gateway) =>
  async (json: unknown, key?: string): Promise<Simulated> => {
    const response = await gate.fetch(`/admin/policies/${gate.tenant}/simulate`, {
      json,
      key: key ?? (await gate.keyFor("boss", "admin")),
    });
    return { status: response.status, body: (await response.json()) as SimulatedBody };
  };
