/** What a call changes, line by line. */
import type { ApprovalView } from "../../api/approval.ts";
import { texts } from "../../texts/texts.ts";

const signs = { same: " ", added: "+", removed: "−" } as const;

export function Changes({ lines }: { readonly lines: ApprovalView["details"]["changes"] }) {
  if (lines.length === 0) return null;
  return (
    <section class="changes">
      <h3>{texts.card.changes}</h3>
      <ol class="mono">
        {lines.map(({ kind, text }, index) => (
          <li key={index} class={kind}>
            <span class="sign" aria-hidden="true">
              {signs[kind]}
            </span>
            {kind !== "same" && <span class="visually-hidden">{texts.card[kind]}: </span>}
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
