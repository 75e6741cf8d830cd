/** One question: what the call would do and what follows from it, then its values, then the answer. */
import { type FormEvent, useId, useState } from "react";
import { proseParts } from "../../lib/text/prose.ts";
import { type ApprovalAnswer, type ApprovalArgument, type ApprovalRequest, approvalOf } from "./approval-request.ts";
import { EditForm } from "./edit-form.tsx";
import { labelsFor, type ToolApprovalLabels } from "./labels.ts";
import type { ToolApprovals } from "./use-tool-approval.ts";

export interface ToolApprovalProps {
  /** Any part of a message: nothing is drawn for one that asks nothing. */
  readonly part: unknown;
  /** The result of `useToolApproval`. */
  readonly approvals: Pick<ToolApprovals, "answer">;
  /** In place of the component's own words. */
  readonly labels?: Partial<ToolApprovalLabels>;
  readonly className?: string;
}

export function ToolApproval({ part, approvals, labels: own, className }: ToolApprovalProps) {
  const request = approvalOf(part);
  const title = useId();
  if (!request) return null;
  const labels = labelsFor(request.language, own);
  const { answer } = request;
  return (
    <section
      className={["toolgate-approval", className].filter(Boolean).join(" ")}
      data-state={answer ?? "waiting"}
      aria-labelledby={title}
      lang={request.language}
    >
      <p className="toolgate-tool">{request.tool}</p>
      <p id={title} className="toolgate-question">
        <Prose text={request.question} />
      </p>
      {request.effects.map((effect) => (
        <p key={effect} className="toolgate-effect">
          <Prose text={effect} />
        </p>
      ))}
      {answer === undefined ? (
        <Answer request={request} labels={labels} onAnswer={(given) => approvals.answer(request.id, given)} />
      ) : (
        <p role="status" className="toolgate-answered">
          {labels[answer]}
        </p>
      )}
    </section>
  );
}

interface AnswerProps {
  readonly request: ApprovalRequest;
  readonly labels: ToolApprovalLabels;
  readonly onAnswer: (answer: ApprovalAnswer) => Promise<void>;
}

function Answer({ request, labels, onAnswer }: AnswerProps) {
  const [panel, setPanel] = useState<"edit" | "deny" | undefined>();
  const [sending, setSending] = useState(false);
  const [extras, setExtras] = useState<Extras>({ enable: false, endorse: false, always: false });
  const send = async (answer: ApprovalAnswer) => {
    if (sending) return;
    setSending(true);
    try {
      await onAnswer(answer);
    } finally {
      setSending(false);
    }
  };
  if (panel === "edit") {
    const back = () => setPanel(undefined);
    return <EditForm request={request} labels={labels} sending={sending} onBack={back} onAnswer={send} />;
  }
  const { expiresAt } = request;
  return (
    <>
      <Values values={request.arguments} labels={labels} />
      {panel === "deny" ? (
        <DenyForm labels={labels} sending={sending} onBack={() => setPanel(undefined)} onAnswer={send} />
      ) : (
        <>
          <ExtraBoxes request={request} labels={labels} extras={extras} onChange={setExtras} />
          <div className="toolgate-buttons">
            <button type="button" disabled={sending} onClick={() => setPanel("deny")}>
              {labels.deny}
            </button>
            {request.editable && request.arguments.length > 0 && (
              <button type="button" disabled={sending} onClick={() => setPanel("edit")}>
                {labels.edit}
              </button>
            )}
            <button
              type="button"
              className="toolgate-approve"
              disabled={sending}
              onClick={() => send({ action: "approve", ...given(extras) })}
            >
              {labels.approve}
            </button>
          </div>
        </>
      )}
      {expiresAt && (
        <p className="toolgate-until">
          <time dateTime={expiresAt.toISOString()}>{labels.until(expiresAt.toLocaleString(request.language))}</time>
        </p>
      )}
    </>
  );
}

interface Extras {
  readonly enable: boolean;
  readonly endorse: boolean;
  readonly always: boolean;
}

const given = ({ enable, endorse, always }: Extras) => ({
  ...(enable ? { enable } : {}),
  ...(endorse ? { endorse } : {}),
  ...(always ? { grant: { until: "session" } } : {}),
});

interface ExtraBoxesProps extends Omit<AnswerProps, "onAnswer"> {
  readonly extras: Extras;
  readonly onChange: (extras: Extras) => void;
}

function ExtraBoxes({ request, labels, extras, onChange }: ExtraBoxesProps) {
  const { tool, enables, endorses, grantable } = request;
  const boxes: readonly (readonly [keyof Extras, string | undefined])[] = [
    ["enable", enables && labels.enable(tool, enables)],
    ["endorse", endorses === undefined ? undefined : labels.endorse(endorses)],
    ["always", grantable ? labels.always : undefined],
  ];
  return boxes.map(([name, label]) =>
    label === undefined ? null : (
      <label key={name} className="toolgate-extra">
        <input
          type="checkbox"
          checked={extras[name]}
          onChange={(event) => onChange({ ...extras, [name]: event.target.checked })}
        />
        {label}
      </label>
    ),
  );
}

interface DenyFormProps {
  readonly labels: ToolApprovalLabels;
  readonly sending: boolean;
  readonly onBack: () => void;
  readonly onAnswer: (answer: ApprovalAnswer) => Promise<void>;
}

function DenyForm({ labels, sending, onBack, onAnswer }: DenyFormProps) {
  const [reason, setReason] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void onAnswer({ action: "deny", ...(reason.trim() === "" ? {} : { reason: reason.trim() }) });
  };
  return (
    <form className="toolgate-form" onSubmit={submit}>
      <label>
        {labels.reason}
        {/* The gateway takes no longer one. */}
        <input value={reason} maxLength={1_000} onChange={(event) => setReason(event.target.value)} />
      </label>
      <div className="toolgate-buttons">
        <button type="button" disabled={sending} onClick={onBack}>
          {labels.back}
        </button>
        <button type="submit" className="toolgate-deny" disabled={sending}>
          {labels.denyNow}
        </button>
      </div>
    </form>
  );
}

function Values({
  values,
  labels,
}: {
  readonly values: readonly ApprovalArgument[];
  readonly labels: ToolApprovalLabels;
}) {
  if (values.length === 0) return <p className="toolgate-none">{labels.noValues}</p>;
  return (
    <dl className="toolgate-values" aria-label={labels.values}>
      {values.map((value) => (
        <div key={value.name}>
          <dt>{value.name}</dt>
          <dd>
            <Value value={value} labels={labels} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value, labels }: { readonly value: ApprovalArgument; readonly labels: ToolApprovalLabels }) {
  const [seen, setSeen] = useState(false);
  if (value.isHidden) return <em>{labels.hidden}</em>;
  if (value.isPrivate && !seen) {
    return (
      <button type="button" aria-label={`${labels.reveal} ${value.name}`} onClick={() => setSeen(true)}>
        {labels.reveal}
      </button>
    );
  }
  return <pre>{value.text}</pre>;
}

/** Untrusted text is set apart, and is never read as markup. */
function Prose({ text }: { readonly text: string }) {
  let at = 0;
  return proseParts(text).map((part) => {
    at += part.text.length + 1;
    return part.isCode ? <code key={at}>{part.text}</code> : part.text;
  });
}
