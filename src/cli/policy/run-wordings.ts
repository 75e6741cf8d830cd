/** Asks the gateway what it detects in each of a file's messages, and compares it with what is expected. */
import { canonicalJson } from "../../lib/canonical-json.ts";
import type { CaseTenant } from "./case-gateway.ts";
import type { CaseOutcome } from "./case-outcome.ts";
import type { CaseWording } from "./case-schema.ts";
import type { Failure } from "./failure-text.ts";

/** As `POST /v1/intents/detect` tells it. */
interface Told {
  readonly intents: readonly { readonly name: string; readonly layer: string }[];
  readonly discounted: readonly { readonly name: string }[];
  readonly follow_up: boolean;
  readonly would_select: readonly string[];
  readonly entities: readonly { readonly name: string; readonly value: unknown }[];
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
    const failures = response.ok
      ? judge(wording, (await response.json()) as Told)
      : [{ turn: 1, what: "status", expected: 200, got: `${response.status} ${await response.text()}` }];
    outcomes.push({ name: wordingName(wording), failures });
  }
  return outcomes;
}

export const wordingName = ({ text }: CaseWording): string => `“${text.length > 80 ? `${text.slice(0, 79)}…` : text}”`;

function judge(wording: CaseWording, told: Told): Failure[] {
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
  const got: Readonly<Record<string, unknown>> = {
    intents: names(told.intents),
    layer: told.intents[0]?.layer ?? null,
    discounted: names(told.discounted),
    selects: told.would_select,
    followUp: told.follow_up,
    entities: Object.fromEntries(told.entities.map(({ name, value }) => [name, value])),
  };
  const { text: _, description: __, ...expected } = wording;
  return Object.entries(expected).flatMap(([what, wanted]) =>
    wanted === undefined || canonicalJson(wanted) === canonicalJson(got[what])
      ? []
      : [{ turn: 1, what, expected: wanted, got: got[what] }],
  );
}
