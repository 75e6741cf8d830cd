/** The page of one session, turn by turn: intents, offered and withheld tools, calls and decisions, and the check of the record chain. */
import { useLocation } from "preact-iso";
import type { ListOf } from "../../api-views/approval-views.ts";
import type { ApprovalRow, DecisionRow, RunRow, TurnRow } from "../../api-views/trail-views.ts";
import { useApi } from "../parts/use-api.ts";
import { FailureNote, PageHeading, SkeletonCards } from "../shell/page-parts.tsx";
import { AWAITING, questionOutcome } from "../trail/question-outcome.ts";
import { SealCheck } from "../trail/seal-check.tsx";
import { texts } from "./texts.ts";
import { TurnCard } from "./turn-card.tsx";

/** @param id the session's id, from the path. */
export function SessionPage({ id = "" }: { readonly id?: string }) {
  const { query } = useLocation();
  const of = `session=${encodeURIComponent(id)}&order=asc&limit=100`;
  const turns = useApi<ListOf<TurnRow>>(`/v1/audit/turns?${of}`);
  const decisions = useApi<ListOf<DecisionRow>>(`/v1/audit/decisions?${of}`);
  const approvals = useApi<ListOf<ApprovalRow>>(`/v1/audit/approvals?${of}`);
  const runs = useApi<ListOf<RunRow>>(`/v1/audit/runs?${of}`);
  const all = [turns, decisions, approvals, runs];
  const failure = all.map((one) => one.failure.value).find((one) => one !== undefined);
  const [first] = turns.value.value?.data ?? [];
  const outcomeOf = ({ id: turn, stop_reason: reason }: TurnRow): string | undefined => {
    if (reason !== AWAITING) return undefined;
    const events = approvals.value.value?.data.filter((one) => one.turn === turn) ?? [];
    const later = decisions.value.value?.data.filter((one) => one.turn !== turn) ?? [];
    return questionOutcome(events, (id) => later.some(({ approval }) => approval === id));
  };
  const isThere = all.every((one) => one.value.value !== undefined);
  return (
    <>
      <p>
        <a class="row-link" href="/console/sessions">
          {texts.back}
        </a>
      </p>
      <div class="page-head">
        <PageHeading>{first ? texts.one(first.user) : texts.title}</PageHeading>
        {first && <SealCheck user={first.user} />}
      </div>
      {first && (
        <p class="pills session-links">
          <span class="hint mono">{id}</span>
          <a class="filter-pill" href={`/console/audit?kind=decisions&session=${encodeURIComponent(id)}`}>
            {texts.records}
          </a>
          <a class="filter-pill" href={`/console/sessions?user=${encodeURIComponent(first.user)}`}>
            {texts.others(first.user)}
          </a>
        </p>
      )}
      {failure && (
        <FailureNote
          failure={failure}
          retry={() => {
            for (const one of all) if (one.failure.value) one.reload();
          }}
        />
      )}
      {!isThere && !failure && <SkeletonCards />}
      {isThere && turns.value.value?.data.length === 0 && <p class="lead">{texts.missing}</p>}
      {isThere && (
        <ol class="timeline">
          {turns.value.value?.data.map((turn, index) => (
            <TurnCard
              key={turn.id}
              number={index + 1}
              turn={turn}
              isChosen={turn.id === query.turn}
              decisions={decisions.value.value?.data.filter((one) => one.turn === turn.id) ?? []}
              outcome={outcomeOf(turn)}
              approvals={approvals.value.value?.data ?? []}
              runs={runs.value.value?.data ?? []}
            />
          ))}
        </ol>
      )}
      {all.some((one) => one.value.value?.has_more) && <p class="hint">{texts.first}</p>}
    </>
  );
}
