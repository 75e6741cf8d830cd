/** Policies as the admin API returns them. */
import type { DetectedIntent, EffectName } from "./trail-views.ts";

export interface PolicyView {
  readonly version: string | null;
  readonly source: "embedded" | "kv";
  readonly created_at?: string | null;
  readonly created_by?: string | null;
  readonly document: Readonly<Record<string, unknown>>;
}

export interface PolicyVersionView {
  readonly id: string;
  readonly version: string | null;
  readonly created_at: string | null;
  readonly created_by: string | null;
  readonly action: string;
  readonly in_force: boolean;
}

export interface PolicyUpdateView {
  readonly version: string | null;
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
}

export interface PolicyDiffView {
  readonly summary: readonly string[];
}

export interface ProofView {
  readonly proved: boolean;
  readonly invariants: readonly {
    readonly path: string;
    readonly say: string;
    readonly proved: boolean;
    readonly situations: number;
    readonly counterexample: { readonly text: string } | null;
    readonly problem: string | null;
  }[];
}

export interface SimulationView {
  readonly in_force: boolean;
  readonly policy: string;
  readonly role: string;
  readonly mode: string;
  readonly untrusted: boolean;
  readonly state: string;
  readonly intents: readonly string[];
  readonly detection: {
    readonly intents: readonly SimulatedIntent[];
    readonly discounted: readonly SimulatedIntent[];
    /** Layers that should have run and could not answer. */
    readonly missed: readonly string[];
  } | null;
  readonly steps: readonly {
    readonly state: string;
    readonly intents: readonly string[];
    readonly offered: readonly string[];
    readonly withheld: readonly { readonly name: string; readonly reasons: readonly ReasonView[] }[];
    readonly handshake: { readonly name: string; readonly intents: readonly string[] } | null;
    readonly calls: readonly {
      readonly id: string;
      readonly name: string;
      readonly arguments: string;
      readonly effect: EffectName;
      readonly reasons: readonly ReasonView[];
      readonly handshake?: boolean;
      readonly origins: readonly { readonly path: string; readonly origin: string; readonly tool?: string }[];
      readonly question: { readonly text: string } | null;
    }[];
  }[];
  readonly stopped: { readonly reason: string; readonly message: string } | null;
}

/** With the words of the message, which a record leaves out. */
interface SimulatedIntent extends DetectedIntent {
  readonly evidence: readonly (DetectedIntent["evidence"][number] & { readonly text: string })[];
}

export interface CandidateView {
  readonly version: string;
  readonly at: string;
  readonly by: string;
  readonly document: Readonly<Record<string, unknown>>;
  readonly turns: number;
  readonly judged: number;
  readonly unjudged: number;
  readonly changes: ReplayView["changes"];
  readonly offers: readonly {
    readonly tool: string;
    readonly change: "offered" | "withheld";
    readonly turns: number;
  }[];
}

export interface SuggestionView {
  readonly tool: string;
  readonly approved: number;
  readonly users: number;
  readonly set: {
    readonly confirm: string;
    readonly conditions?: readonly { readonly say: string }[];
  };
}

export interface MissedMessageView {
  readonly message: string;
  /** The intent that the model named for it. */
  readonly intent: string;
  readonly turns: number;
  readonly users: number;
}

export interface SeenToolView {
  readonly name: string;
  readonly turns: number;
  readonly withheld: number;
  readonly users: number;
  readonly by: readonly string[];
  readonly last_at: string;
  /** A suggested entry in the policy. */
  readonly set: { readonly category: string };
}

export interface ReasonView {
  readonly code: string;
  readonly message: string;
}

export interface ReplayView {
  readonly judged: number;
  readonly same: number;
  readonly answered: number;
  readonly changes: readonly {
    readonly tool: string;
    readonly from: EffectName;
    readonly to: EffectName;
    readonly reasons: readonly string[];
    readonly calls: number;
    readonly examples: readonly { readonly turn: string; readonly decision: string; readonly at: string }[];
  }[];
  readonly unjudged: Readonly<Record<string, number>>;
  readonly has_more: boolean;
  readonly last_id: string | null;
}
