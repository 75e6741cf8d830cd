/** What follows from a call: whether it can be undone, where data goes, why it asks. */
import type { EffectKind } from "../../../approvals/disclosure/disclosed.ts";
import type { ApprovalView } from "../../api/approval.ts";
import { Icon, type IconName } from "../../shell/icon.tsx";
import { Prose } from "../../shell/prose.tsx";
import { texts } from "../../texts/texts.ts";
import { goesOnLine, stepLine } from "../goes-on.ts";

/** The gateway's words mark what is grave; here the icon and the colour do. */
const MARK = /^⚠\uFE0F?\s*/;

const icons: Readonly<Record<EffectKind, IconName>> = {
  takes_back: "undo",
  suspicious: "warning",
  first_use: "allowed",
  goes_to: "leaves",
  hidden: "warning",
  changes: "note",
  undo: "undo",
  final: "warning",
  note: "note",
};

export function Consequences({ approval }: { readonly approval: ApprovalView }) {
  const { details } = approval;
  const step = stepLine(approval, texts);
  return (
    <ul class="consequences">
      {details.effects.map(({ kind, text }) => (
        <li key={text} class={MARK.test(text) ? "grave" : undefined}>
          <Icon name={icons[kind]} />
          <span lang={details.language}>
            <Prose text={text.replace(MARK, "")} />
          </span>
        </li>
      ))}
      {step !== undefined && (
        <li>
          <Icon name="note" />
          <span>{step}</span>
        </li>
      )}
      <li class="channel">
        <Icon name="chat" />
        <span>{goesOnLine(approval, texts)}</span>
      </li>
    </ul>
  );
}
