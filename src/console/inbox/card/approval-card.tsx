/** The card of one waiting call: what it would do and its consequences, then the values, then the answer. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { ApprovalView } from "../../../api-views/approval-views.ts";
import type { EffectKind } from "../../../approvals/disclosure/disclosed.ts";
import { Icon, type IconName } from "../../shell/icon.tsx";
import { Prose } from "../../shell/page-parts.tsx";
import { me } from "../../sign-in/me.ts";
import type { Texts } from "../../texts/en.ts";
import { ago, duration, texts, when } from "../../texts/texts.ts";
import { cardId, isUrgent } from "../approvals.ts";
import { now } from "../clock.ts";
import { dismiss } from "../listed.ts";
import { settledLabel, settledText } from "../settled-text.ts";
import { AnswerArea } from "./answer-area.tsx";
import { isGrave, withoutMark } from "./grave.ts";
import { AsJson, Changes, shownValues, unseenValues, Values } from "./values.tsx";

interface ApprovalCardProps {
  readonly approval: ApprovalView;
  /** It no longer waits: it expired, or it was answered elsewhere. */
  readonly over: boolean;
}

export function ApprovalCard({ approval, over: waitsNoMore }: ApprovalCardProps) {
  const editing = useSignal(false);
  const sending = useSignal(false);
  const { id, tool, code, details, user } = approval;
  const title = `${cardId(id)}-title`;
  const words = texts.card;
  // A call that only the audit trail knows has no question.
  const question = approval.question || details.summary;
  const foreign = user !== undefined && user !== me.value?.user;
  // An answer on its way may have been in time.
  const over = waitsNoMore && !sending.value;
  const state = over ? "expired" : `${isUrgent(approval) ? "urgent" : ""} ${sending.value ? "sending" : ""}`;
  const seen = useSignal<ReadonlySet<string>>(new Set());
  const values = useMemo(() => shownValues(approval), [approval]);
  const unseen = unseenValues(values, seen.value);
  const see = (...names: readonly string[]) => {
    seen.value = new Set([...seen.value, ...names]);
  };
  return (
    <article
      class={`card ${state}`}
      aria-busy={sending.value}
      id={cardId(id)}
      data-approval={id}
      tabIndex={-1}
      aria-labelledby={title}
    >
      <TimeLeft approval={approval} over={over} />
      <p class="tool">
        <span class="mono">{tool}</span>
        {code !== null && (
          <span class="code mono">
            <span class="visually-hidden">{words.code} </span>
            {code}
          </span>
        )}
        <AskedTime approval={approval} of={foreign ? user : undefined} />
        {approval.turn_id !== undefined && me.value?.sees_tenant === true && (
          <a class="turn-link" href={`/console/turns/${encodeURIComponent(approval.turn_id)}`}>
            {texts.card.turn}
          </a>
        )}
      </p>
      <h2 id={title} lang={details.language}>
        <Prose text={question} />
      </h2>
      {details.summary !== question && details.summary !== "" && (
        <p class="summary" lang={details.language}>
          <Prose text={details.summary} />
        </p>
      )}
      <OwnWords approval={approval} of={foreign ? user : undefined} />
      <Consequences approval={approval} of={foreign ? user : undefined} />
      {(over || !editing.value) && <Changes lines={details.changes} />}
      {(over || !editing.value) && <Values tool={tool} values={values} seen={seen.value} onSee={see} />}
      {/* Private and long values must be opened first. */}
      {values.length > 0 && unseen.length === 0 && !editing.value && <AsJson arguments={approval.arguments} />}
      {details.learn_more !== null && (
        <details class="learn">
          <summary>{words.learnMore}</summary>
          <p lang={details.language}>
            <Prose text={details.learn_more} />
          </p>
        </details>
      )}
      {over ? (
        <OverNote approval={approval} />
      ) : (
        <AnswerArea
          approval={approval}
          foreign={foreign}
          editing={editing}
          sending={sending}
          unseen={unseen.length > 0}
          onSeeAll={() => see(...unseen)}
        />
      )}
    </article>
  );
}

interface AskedAtProps {
  readonly approval: ApprovalView;
  /** Undefined: the signed-in user. */
  readonly of: string | undefined;
}

function AskedTime({ approval, of }: AskedAtProps) {
  const time = ago(now.value - Date.parse(approval.created_at));
  return (
    <time class="asked-at" dateTime={approval.created_at} title={when(approval.created_at)}>
      {of === undefined ? texts.card.asked(time) : texts.card.askedOf(of, time)}
    </time>
  );
}

/** The user's request to the assistant, so that a call that does not fit it stands out. */
function OwnWords({ approval, of }: AskedAtProps) {
  const { user_words: words } = approval;
  if (words == null || words === "") return null;
  return (
    <figure class="own-words">
      <figcaption>{of === undefined ? texts.card.youWrote : texts.card.wrote(of)}</figcaption>
      <blockquote dir="auto">{words}</blockquote>
    </figure>
  );
}

interface TimeLeftProps {
  readonly approval: ApprovalView;
  readonly over: boolean;
}

function TimeLeft({ approval, over }: TimeLeftProps) {
  const [from, to] = [Date.parse(approval.created_at), Date.parse(approval.expires_at)];
  const left = over ? 0 : to - now.value;
  const share = Math.min(1, Math.max(0, left / Math.max(1, to - from)));
  const ended = approval.status === "pending" ? texts.card.over : settledLabel(approval);
  return (
    <>
      {/* As tall as the radius of the corners, so that it follows them. */}
      <svg class="barrier" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="4" />
        <rect width={String(share * 100)} height="4" />
      </svg>
      <p class="time">
        <time dateTime={approval.expires_at}>{left > 0 ? texts.card.left(duration(left)) : ended}</time>
      </p>
    </>
  );
}

function OverNote({ approval }: { readonly approval: ApprovalView }) {
  const words = texts.expired;
  return (
    <div class="answer over">
      <p>{overText(approval)}</p>
      <button type="button" class="button" onClick={() => dismiss(approval.id)}>
        {words.dismiss}
      </button>
    </div>
  );
}

function overText(approval: ApprovalView): string {
  // Without a connection the page knows that the call expired, but not whether it was answered before.
  if (approval.status === "pending") return texts.expired.unknown;
  return approval.status === "expired" ? texts.expired.note : settledText(approval);
}

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

function Consequences({ approval, of }: AskedAtProps) {
  const { details } = approval;
  const step = planStepText(approval, texts);
  return (
    <ul class="consequences">
      {details.effects.map((effect) => (
        <li key={effect.text} class={isGrave(effect) ? "grave" : undefined}>
          <Icon name={icons[effect.kind]} />
          <span lang={details.language}>
            <Prose text={withoutMark(effect)} />
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
        <span>{continuationText(approval, texts, of)}</span>
      </li>
    </ul>
  );
}

type Place = Pick<ApprovalView, "channel" | "plan">;

export const planStepText = ({ plan }: Place, { card }: Texts): string | undefined =>
  plan ? card.plan.step(plan.step_number, plan.total_steps) : undefined;

/**
 * Says where the user goes on. A plan has no chat to go back to.
 * @param of the user of the chat. Undefined: the signed-in user.
 */
export function continuationText({ channel, plan }: Place, { card }: Texts, of?: string): string {
  if (plan && channel !== "inline") return card.plan[channel];
  return of !== undefined && channel === "inline" ? card.othersInline(of) : card.channel[channel];
}
