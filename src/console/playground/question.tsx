/** The gateway's question about a call, with buttons that answer it. */
import type { ApprovalView } from "../../api-views/approval-views.ts";
import { Prose } from "../shell/page-parts.tsx";
import { texts } from "./texts.ts";

interface QuestionProps {
  readonly approval: ApprovalView;
  readonly onAnswer: (action: "approve" | "deny") => void;
}

export function Question({ approval, onAnswer }: QuestionProps) {
  return (
    <section class="note wait-note" aria-label={texts.question}>
      <p>
        <strong>{texts.question}</strong>
      </p>
      {approval.disclosure.split("\n").map((line) => (
        <p key={line} lang={approval.details.language}>
          <Prose text={line} />
        </p>
      ))}
      <p class="pills">
        <button type="button" class="button strong" onClick={() => onAnswer("approve")}>
          {texts.approve}
        </button>
        <button type="button" class="button" onClick={() => onAnswer("deny")}>
          {texts.deny}
        </button>
      </p>
    </section>
  );
}
