/** The audit trail as the API returns it. */

export interface SummaryView {
  readonly from: string;
  readonly to: string;
  readonly step_ms: number;
  readonly cut: boolean;
  readonly turns: number;
  readonly sessions: number;
  readonly users: number;
  readonly tasks: number;
  readonly tokens_saved: number;
  /** Each call once, by the last decision on it. */
  readonly effects: EffectCounts;
  /** Among the calls that ended with `deny`. */
  readonly denied_by_person: number;
  readonly approvals: Readonly<Record<string, number>>;
  readonly answer_ms: { readonly median: number; readonly p90: number } | null;
  readonly refused: readonly RefusalView[];
  readonly series: readonly { readonly at: string; readonly turns: number; readonly effects: EffectCounts }[];
}

export type EffectName = "allow" | "confirm" | "deny";
export type EffectCounts = Readonly<Record<EffectName, number>>;

interface RefusalView {
  readonly tool: string;
  readonly reason: string;
  readonly calls: number;
  readonly turn: string;
  readonly session: string;
  readonly at: string;
}

export interface SessionRow {
  readonly id: string;
  readonly user: string;
  readonly role: string;
  readonly turns: number;
  readonly intents: readonly string[];
  readonly effects: EffectCounts;
  readonly first_at: string;
  readonly last_at: string;
  readonly stop_reason: string;
}

/** What every record has. */
export interface RecordRow {
  readonly object: string;
  readonly id: string;
  readonly at: string;
  readonly user: string;
  readonly session?: string;
  readonly turn?: string | null;
  readonly seq: number;
  readonly hash: string;
}

export interface TurnRow extends RecordRow {
  readonly ended_at: string;
  readonly model: string | null;
  readonly role: string;
  readonly mode: string;
  readonly state_opened: string;
  readonly state_closed: string;
  readonly intents: readonly string[];
  readonly detection: {
    readonly intents: readonly DetectedIntent[];
    readonly discounted: readonly DetectedIntent[];
    /** The user's message, if the policy keeps it, in pieces. */
    readonly words?: readonly SaidWords[];
  } | null;
  readonly stop_reason: string;
  readonly steps: number;
  readonly offered: readonly string[];
  readonly withheld: readonly { readonly name: string; readonly reasons: readonly string[] }[];
  readonly tokens_saved: number;
  readonly usage: { readonly total_tokens?: number } | null;
  readonly error: string | null;
  readonly instructions?: readonly { readonly tool: string | null; readonly kind: string }[];
  readonly policy: string;
}

export interface SaidWords {
  readonly text: string;
  readonly heard?: readonly string[];
  readonly discounted?: readonly string[];
}

export interface DetectedIntent {
  readonly name: string;
  readonly confidence: number;
  readonly layer: string;
  readonly evidence: readonly {
    readonly layer: string;
    readonly source: string;
    readonly at: number;
    readonly discounted?: string;
  }[];
}

export interface DecisionRow extends RecordRow {
  readonly turn: string;
  readonly step: number;
  readonly ordinal: number;
  readonly tool: string;
  readonly effect: EffectName;
  readonly disposition: string;
  readonly role: string;
  readonly mode: string;
  /** The version that judged it. */
  readonly policy: string;
  readonly observed?: true;
  readonly approval?: string;
  readonly reasons: readonly {
    readonly code: string;
    readonly message?: string;
    readonly disclosure?: string;
    /** The policy's own text of a condition. */
    readonly say?: readonly string[];
  }[];
  readonly origins?: readonly {
    readonly path: string;
    readonly role: string;
    readonly origin: string;
    readonly tool?: string;
  }[];
  readonly arguments: unknown;
}

export interface ApprovalRow extends RecordRow {
  readonly turn: string;
  readonly approval: string;
  readonly event: string;
  readonly tool: string;
  readonly by: string | null;
  readonly via: string | null;
  readonly reason: string | null;
  readonly disclosure: string | null;
}

export interface RunRow extends RecordRow {
  readonly turn: string;
  readonly decision: string;
  readonly tool: string;
  readonly status: string;
  readonly executor: string;
  readonly target: string;
  readonly ms: number;
  readonly detail: string | null;
}

export interface VerificationView {
  readonly ok: boolean;
  readonly problem: {
    readonly kind: string;
    readonly at: number;
    readonly message: string;
    /** Null: there is none. */
    readonly record: FaultyRecord | null;
  } | null;
  /** What is wrong with the checkpoint that retention left. */
  readonly checkpoint_problem: string | null;
  /** The head of the chain; null: the user has no records. */
  readonly head: object | null;
  readonly from: number | null;
  readonly to: number | null;
  readonly next_after: number | null;
  readonly waiting: number;
}

/** As the record itself says. */
export interface FaultyRecord {
  readonly kind: string;
  readonly id: string;
  readonly session: string | null;
  readonly turn: string | null;
}
