/** The page of earlier questions and their outcomes. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ApprovalView, ArgumentView, CallView, ListOf } from "../../api-views/approval-views.ts";
import { call, type Failure } from "../api/call.ts";
import { Changes, shownValues, Values } from "../inbox/card/values.tsx";
import { ScopeSwitch, scopeQuery, wholeTenant } from "../inbox/scope.tsx";
import { FailureNote, PageHeading, Prose, SkeletonRows } from "../shell/page-parts.tsx";
import { me } from "../sign-in/me.ts";
import type { Texts } from "../texts/en.ts";
import { texts, when } from "../texts/texts.ts";

const PAGE = 30;

export function HistoryPage() {
  return (
    <>
      <ScopeSwitch />
      <PageHeading>{texts.history.title}</PageHeading>
      {/* Keyed: each scope has a list of its own. */}
      <HistoryList key={String(wholeTenant.value)} scope={scopeQuery(wholeTenant.value)} />
    </>
  );
}

function HistoryList({ scope }: { readonly scope: string }) {
  const rows = useSignal<readonly ApprovalView[]>([]);
  const more = useSignal(true);
  const failure = useSignal<Failure | undefined>(undefined);
  const loading = useSignal(false);

  async function load(): Promise<void> {
    if (loading.value) return;
    loading.value = true;
    // Loads on while a page holds only waiting calls: the list would look finished.
    while (!(await loadPage()));
    loading.value = false;
  }

  /** @returns true if there is something new to show, or nothing more to load. */
  async function loadPage(): Promise<boolean> {
    const last = rows.value.at(-1)?.id;
    const after = last === undefined ? "" : `&after=${encodeURIComponent(last)}`;
    const page = await call<ListOf<ApprovalView>>(`/v1/approvals?order=desc&limit=${PAGE}${scope}${after}`);
    failure.value = page.ok ? undefined : page.error;
    if (!page.ok) return true;
    rows.value = [...rows.value, ...page.value.data];
    more.value = page.value.has_more;
    return !page.value.has_more || page.value.data.some(hasEnded);
  }
  useEffect(() => void load(), []);

  const ended = rows.value.filter(hasEnded);
  const words = texts.history;
  return (
    <>
      {ended.length === 0 && !loading.value && !failure.value && <p class="lead">{words.none}</p>}
      <ol class="rows">
        {ended.map((approval) => (
          <HistoryRow key={approval.id} approval={approval} />
        ))}
      </ol>
      {failure.value && <FailureNote failure={failure.value} />}
      {loading.value && <SkeletonRows />}
      {more.value && !loading.value && (
        <button type="button" class="button wide" onClick={() => void load()}>
          {failure.value ? texts.failure.retry : words.more}
        </button>
      )}
    </>
  );
}

const hasEnded = ({ status }: ApprovalView): boolean => status !== "pending";

function HistoryRow({ approval }: { readonly approval: ApprovalView }) {
  const { status, answer, details, tool } = approval;
  const words = texts.history;
  const seen = useSignal<ReadonlySet<string>>(new Set());
  const mine = approval.user === undefined || approval.user === me.value?.user;
  const about = [
    ...(answer && answer.by !== me.value?.user ? [words.by(answer.by)] : []),
    ...(approval.user === undefined ? [] : [words.askedOf(approval.user)]),
    ...(status === "expired" ? [texts.expired.note] : []),
  ];
  return (
    <li class="row">
      <p class="outcome">
        <span class={`badge ${status}`}>{outcomeText(approval, texts)}</span>
        <time dateTime={outcomeTime(approval)}>{when(outcomeTime(approval))}</time>
      </p>
      <details>
        <summary>
          <CallLine tool={tool} first={details.arguments[0]} />
        </summary>
        <p class="plain" lang={details.language}>
          <Prose text={[approval.question, details.summary].filter((text) => text !== "").join(" ")} />
        </p>
        <Changes lines={details.changes} />
        <Values
          tool={tool}
          values={shownValues(approval)}
          seen={seen.value}
          onSee={(name) => {
            seen.value = new Set([...seen.value, name]);
          }}
        />
      </details>
      {about.length > 0 && <p class="hint">{about.join(" · ")}</p>}
      {answer?.reason && <p class="reason">{words.reason(answer.reason)}</p>}
      {/* Only the user of the call can see whether it can be undone, and undo it. */}
      {mine && status === "approved" && approval.reversible && approval.settled_by !== null && (
        <UndoNote id={approval.settled_by} />
      )}
    </li>
  );
}

interface CallLineProps {
  readonly tool: string;
  readonly first: ArgumentView | undefined;
}

function CallLine({ tool, first }: CallLineProps) {
  return (
    <span class="call-line">
      <span class="mono">{tool}</span>
      {first && (
        <span class="first">
          {first.name}: <bdi>{first.redacted || first.private ? texts.card.hidden : first.value}</bdi>
        </span>
      )}
    </span>
  );
}

/**
 * Says how a call that ran can be undone. An undo runs another call, and the page runs no tools: the user asks for it in the chat that
 * made the call.
 */
function UndoNote({ id }: { readonly id: string }) {
  const text = useSignal<string | undefined>(undefined);
  const words = texts.history;
  async function look(): Promise<void> {
    if (text.value !== undefined) return;
    const found = await call<CallView>(`/v1/calls/${encodeURIComponent(id)}`);
    text.value = found.ok ? undoText(found.value) : words.cannotUndo;
  }
  return (
    <details class="undo" onToggle={() => void look()}>
      <summary>{words.undo}</summary>
      <p role="status">{text.value ?? texts.opening}</p>
    </details>
  );
}

function undoText({ undo }: CallView): string {
  const words = texts.history;
  if (undo === null) return words.cannotUndo;
  if (undo.undone_by !== null) return words.undone;
  return undo.available ? words.undoInChat(undo.tool) : (undo.why_not ?? words.cannotUndo);
}

export function outcomeText({ status, answer }: Pick<ApprovalView, "status" | "answer">, { history }: Texts): string {
  return status === "approved" && answer?.action === "edit" ? history.edited : history.status[status];
}

type Times = Pick<ApprovalView, "status" | "answered_at" | "expires_at" | "created_at">;

/** A cancelled call has no time of its cancellation, and its expiry may be in the future: the time of its question is shown. */
export const outcomeTime = ({ status, answered_at, expires_at, created_at }: Times): string =>
  answered_at ?? (status === "expired" ? expires_at : created_at);
