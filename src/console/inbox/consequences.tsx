/** What follows from a call: whether it can be undone, where data goes, why it asks. */
import type { ApprovalView } from "../api/approval.ts";
import { Icon, type IconName } from "../shell/icon.tsx";
import { Prose } from "../shell/prose.tsx";
import { texts } from "../texts/texts.ts";
import { goesOnLine, stepLine } from "./goes-on.ts";

interface Consequence {
  readonly icon: IconName;
  readonly text: string;
  readonly grave: boolean;
}

/** The gateway's words mark what is grave; here the icon and the colour do. */
const MARK = /^⚠\uFE0F?\s*/;

export function Consequences({ approval }: { readonly approval: ApprovalView }) {
  const { details, reversible } = approval;
  const { undoing, destination, notes } = details;
  const ours = destination === null ? "" : texts.card.goesTo(destination);
  const told: Consequence[] = notes.map((text) => {
    const leaves = destination !== null && text.includes(destination);
    const grave = MARK.test(text);
    return { icon: leaves ? "leaves" : grave ? "warning" : "note", text, grave };
  });
  if (destination !== null && !told.some(({ icon }) => icon === "leaves"))
    told.push({ icon: "leaves", text: ours, grave: false });
  if (undoing !== "") told.push({ icon: reversible ? "undo" : "warning", text: undoing, grave: !reversible });
  const step = stepLine(approval, texts);
  return (
    <ul class="consequences">
      {told.map(({ icon, text, grave }) => (
        <li key={text} class={grave ? "grave" : undefined}>
          <Icon name={icon} />
          <span lang={text === ours ? undefined : details.language}>
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
