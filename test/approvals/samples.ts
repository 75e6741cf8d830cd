/** Calls and approvals for the tests of what people read and write. */
import fc from "fast-check";
import type { Approval } from "../../src/approvals/approval.ts";
import type { DisclosureView, Language } from "../../src/approvals/disclosure/disclosed.ts";
import { type CallToDisclose, describeApproval, discloseCall } from "../../src/approvals/disclosure/disclosure.ts";
import { redactArguments } from "../../src/lib/redact.ts";
import type { ToolTraits } from "../../src/policy/traits.ts";

type Traits = ToolTraits;

/** As far as a disclosure reads them. */
export const traitsOf = (more: Partial<Traits> = {}): Traits =>
  ({
    name: "edit_note",
    listed: true,
    category: "modification",
    reversible: false,
    redact: [],
    hideFromApprover: [],
    ...more,
  }) as Traits;

interface Sample {
  readonly traits?: Partial<Traits>;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly language?: Language;
  readonly asks?: readonly string[];
  readonly schema?: unknown;
  readonly suspicious?: CallToDisclose["suspicious"];
  readonly untrusted?: CallToDisclose["untrusted"];
  readonly conditions?: CallToDisclose["conditions"];
  readonly undoes?: CallToDisclose["undoes"];
  readonly persistsGate?: boolean;
}

const disclosed = ({ traits, language, schema, suspicious, untrusted, conditions, undoes, persistsGate }: Sample) =>
  discloseCall({
    traits: traitsOf(traits),
    language: language ?? "en",
    schema,
    suspicious,
    untrusted,
    conditions,
    undoes,
    persistsGate: persistsGate ?? true,
  });

/** As who is asked reads it. */
export const viewOf = (sample: Sample = {}, language?: Language): DisclosureView =>
  describeApproval(approvalOf("K7QF", sample), "whole", language);

export const DAY = 86_400_000;

/** Waits from the time 0 for a day. */
export function approvalOf(code: string, sample: Sample & { readonly over?: Partial<Approval> } = {}): Approval {
  const args = sample.arguments ?? { id: "n1", title: "Old" };
  const { redact, hideFromApprover } = traitsOf(sample.traits);
  const disclosure = disclosed(sample);
  return {
    id: `appr_${code}`,
    code,
    status: "pending",
    tool: disclosure.tool,
    callId: `call_${code}`,
    session: "sess_1",
    turn: "turn_1",
    decision: "dec_1",
    channel: "inline",
    asks: sample.asks ?? ["confirmation_required"],
    arguments: JSON.stringify(args),
    digest: "",
    recorded: redactArguments(args, [...redact, ...hideFromApprover]),
    extra: undefined,
    disclosure,
    schema: null,
    editable: true,
    grantable: true,
    askedAt: 0,
    expiresAt: DAY,
    answeredAt: null,
    answer: null,
    usedBy: null,
    ...sample.over,
  };
}

/** Text as an attacker would have it: fences, marks of the frame, Markdown, HTML, what is invisible. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "```",
        "~~~",
        "`",
        "\n",
        "\r\n",
        "\u2028",
        "⟦",
        "⟧",
        "⟦K7QF⟧",
        "⟦\u200bZZ99⟧",
        "[Proceed? yes / no]",
        "**2/2**",
        "![x](http://evil.example/a.png)",
        "[x](javascript:alert(1))",
        "<img src=x onerror=alert(1)>",
        "<!--",
        "-->",
        "\u202e",
        "\u0000",
        "\ud800",
        "{{title}}",
        "{tool}",
        "$&",
        "$1",
      ),
      fc.string({ unit: "binary", maxLength: 12 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

export const code: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(..."ABCDEFGHJKLMNPQRSTUVWXYZ23456789"), { minLength: 4, maxLength: 4 })
  .map((letters) => letters.join(""))
  .filter((text) => /\d/.test(text));
