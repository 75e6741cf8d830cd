/** What was asked before, and what became of it. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ApprovalView, ListOf } from "../api/approval.ts";
import { call } from "../api/call.ts";
import type { Failure } from "../api/failure.ts";
import { scopeQuery, wholeTenant } from "../inbox/scope.ts";
import { ScopeSwitch } from "../inbox/scope-switch.tsx";
import { FailureNote } from "../shell/failure-note.tsx";
import { PageHeading } from "../shell/page-heading.tsx";
import { SkeletonRows } from "../shell/skeleton.tsx";
import { texts } from "../texts/texts.ts";
import { HistoryRow } from "./history-row.tsx";

const PAGE = 30;

export function HistoryPage() {
  return (
    <>
      <ScopeSwitch />
      <PageHeading>{texts.history.title}</PageHeading>
      {/* Another scope is another list. */}
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
    // A page on which every call still waits would look like the end.
    while (!(await loadPage()));
    loading.value = false;
  }

  /** @returns whether there is something new to show, or nothing more to load. */
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
