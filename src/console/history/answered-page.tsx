/** What was asked before, and what became of it. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ApprovalTold, ListOf } from "../api/approval.ts";
import { call } from "../api/call.ts";
import type { Failure } from "../api/failure.ts";
import { scopeQuery, wholeTenant } from "../inbox/scope.ts";
import { FailureNote } from "../shell/failure-note.tsx";
import { PageHeading } from "../shell/page-heading.tsx";
import { texts } from "../texts/texts.ts";
import { AnsweredRow } from "./answered-row.tsx";

const PAGE = 30;

export function AnsweredPage() {
  const rows = useSignal<readonly ApprovalTold[]>([]);
  const more = useSignal(true);
  const failure = useSignal<Failure | undefined>(undefined);
  const loading = useSignal(false);

  async function load(): Promise<void> {
    if (loading.value) return;
    loading.value = true;
    const last = rows.value.at(-1)?.id;
    const after = last === undefined ? "" : `&after=${encodeURIComponent(last)}`;
    const path = `/v1/approvals?order=desc&limit=${PAGE}${scopeQuery(wholeTenant.value)}${after}`;
    const page = await call<ListOf<ApprovalTold>>(path);
    failure.value = page.ok ? undefined : page.error;
    if (page.ok) {
      rows.value = [...rows.value, ...page.value.data];
      more.value = page.value.has_more;
    }
    loading.value = false;
  }
  useEffect(() => void load(), []);

  const answered = rows.value.filter(({ status }) => status !== "pending");
  const words = texts.answered;
  return (
    <>
      <PageHeading>{words.title}</PageHeading>
      {answered.length === 0 && !loading.value && !failure.value && <p class="lead">{words.none}</p>}
      <ol class="rows">
        {answered.map((approval) => (
          <AnsweredRow key={approval.id} approval={approval} />
        ))}
      </ol>
      {failure.value && <FailureNote failure={failure.value} />}
      {more.value && !loading.value && (
        <button type="button" class="button wide" onClick={() => void load()}>
          {failure.value ? texts.failure.retry : words.more}
        </button>
      )}
    </>
  );
}
