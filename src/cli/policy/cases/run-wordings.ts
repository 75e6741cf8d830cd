/** Asks the gateway for the intents of each of a file's messages, and compares them with the expected ones. */
import { canonicalJson } from "../../../lib/json/canonical-json.ts";
import type { CaseTenant } from "./case-gateway.ts";
import { type CaseOutcome, type Failure, shownConfidence, tooUnsure } from "./case-outcome.ts";
import type { CaseWording } from "./case-schema.ts";

/** The reply of `POST /v1/intents/detect`. */
interface Detection {
  readonly intents: readonly FoundIntent[];
  readonly discounted: readonly FoundIntent[];
  readonly follow_up: boolean;
  readonly select_at: number;
  readonly would_select: readonly string[];
  readonly entities: readonly { readonly name: string; readonly value: unknown }[];
}

interface FoundIntent {
  readonly name: string;
  readonly layer: string;
  readonly confidence: number;
  readonly evidence: readonly { readonly text?: string; readonly discounted?: string }[];
}

/** One after the other: each takes a millisecond. */
export async function runWordings(tenant: CaseTenant, wordings: readonly CaseWording[]): Promise<CaseOutcome[]> {
  if (wordings.length === 0) return [];
  const outcomes: CaseOutcome[] = [];
  const user = await tenant.user({ role: "user", connections: [], anonymous: false });
  for (const wording of wordings) {
    const response = await user.fetch("/v1/intents/detect", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: wording.text }),
    });
    if (response.ok) {
      const found = (await response.json()) as Detection;
      const failures = judge(wording, found);
      const explained = failures.length === 0 ? [] : [{ turn: 1, lines: explain(found) }];
      outcomes.push({ name: wordingName(wording), failures, explained });
    } else {
      const got = `${response.status} ${await response.text()}`;
      const failures = [{ turn: 1, what: "status", expected: 200, got }];
      outcomes.push({ name: wordingName(wording), failures, explained: [] });
    }
  }
  return outcomes;
}

export const wordingName = ({ text }: CaseWording): string => `“${text.length > 80 ? `${text.slice(0, 79)}…` : text}”`;

function judge(wording: CaseWording, found: Detection): Failure[] {
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
  const got: Readonly<Record<string, unknown>> = {
    intents: names(found.intents),
    layer: found.intents[0]?.layer ?? null,
    discounted: names(found.discounted),
    selects: found.would_select,
    followUp: found.follow_up,
    entities: Object.fromEntries(found.entities.map(({ name, value }) => [name, value])),
  };
  const { text: _, description: __, ...expected } = wording;
  return Object.entries(expected).flatMap(([what, wanted]) =>
    wanted === undefined || canonicalJson(wanted) === canonicalJson(got[what])
      ? []
      : [{ turn: 1, what, expected: wanted, got: got[what] }],
  );
}

/** The trained layer's evidence has no words of the message. `found JOT 1 by keywords ("jot"), PLAN 0.43 by semantic` */
function explain({ intents, discounted, select_at: selectAt }: Detection): string[] {
  const one = ({ name, layer, confidence, evidence }: FoundIntent) => {
    const words = evidence.flatMap(({ text, discounted: why }) =>
      text === undefined || text === "" ? [] : [`"${text}"${why === undefined ? "" : ` ${why}`}`],
    );
    return `${name} ${shownConfidence(confidence)} by ${layer}${words.length === 0 ? "" : ` (${words.join(", ")})`}`;
  };
  const found = intents.map((intent) => `${one(intent)}${tooUnsure(intent.confidence, selectAt)}`);
  const names = found.length === 0 ? "nothing" : found.join(", ");
  return [`found ${names}`, ...(discounted.length === 0 ? [] : [`did not count ${discounted.map(one).join(", ")}`])];
}
