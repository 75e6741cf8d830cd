/** The candidate: a policy that judges calls in parallel to the one in force but decides nothing. It is set from the draft, then put in force or ended. */
import { useSignal } from "@preact/signals";
import type { CandidateView } from "../../api-views/policy-views.ts";
import { call, type Failure } from "../api/call.ts";
import { Ago, Pill } from "../parts/parts.tsx";
import { useApi } from "../parts/use-api.ts";
import { announce } from "../shell/announcer.tsx";
import { FailureNote, SkeletonRows } from "../shell/page-parts.tsx";
import { ChangeList } from "./change-list.tsx";
import { type Draft, documentOf, textOfDocument } from "./draft.ts";
import { texts } from "./texts.ts";

export function CandidatePanel({ tenant, draft }: { readonly tenant: string; readonly draft: Draft }) {
  const words = texts.candidate;
  const path = `/admin/policies/${encodeURIComponent(tenant)}/candidate`;
  const { value, failure, loading, reload } = useApi<CandidateView>(path);
  const failed = useSignal<Failure | undefined>(undefined);
  const missing = failure.value?.kind === "refused" && failure.value.status === 404;
  const candidate = missing ? undefined : value.value;
  const check = draft.check.value;

  async function write(method: "PUT" | "DELETE", done: string): Promise<void> {
    const body = method === "PUT" ? documentOf(draft.text.value) : undefined;
    const written = await call(path, { method, ...(body ? { body } : {}) });
    failed.value = written.ok ? undefined : written.error;
    if (written.ok) announce(done);
    reload();
  }

  return (
    <>
      <p class="hint">{words.lead}</p>
      {(failed.value ?? (missing ? undefined : failure.value)) && (
        <FailureNote failure={(failed.value ?? failure.value) as Failure} />
      )}
      {loading.value && !candidate && <SkeletonRows />}
      {candidate && <Comparison candidate={candidate} />}
      {!loading.value && !candidate && <p class="lead">{words.none}</p>}
      <p class="pills">
        <button
          type="button"
          class="filter-pill"
          aria-disabled={check.state !== "valid"}
          onClick={() => check.state === "valid" && void write("PUT", words.set)}
        >
          {words.put}
        </button>
        {candidate && (
          <>
            <button type="button" class="filter-pill" onClick={() => draft.replace(textOfDocument(candidate.document))}>
              {words.edit}
            </button>
            <button type="button" class="filter-pill" onClick={reload}>
              {words.reload}
            </button>
            <button type="button" class="filter-pill" onClick={() => void write("DELETE", words.ended)}>
              {words.end}
            </button>
          </>
        )}
      </p>
      {check.state !== "valid" && <p class="hint">{words.needsDraft}</p>}
    </>
  );
}

function Comparison({ candidate }: { readonly candidate: CandidateView }) {
  const words = texts.candidate;
  const { version, by, at, turns, judged, unjudged, changes, offers } = candidate;
  return (
    <>
      <p>
        <Pill tone="wait">{words.running}</Pill> <span class="mono">{version.slice(0, 12)}</span> · {by} ·{" "}
        <Ago at={at} />
      </p>
      <p role="status">
        {words.result(turns, judged)} {unjudged > 0 && texts.replay.unjudged(unjudged)}
      </p>
      {turns > 0 && changes.length === 0 && offers.length === 0 && <p class="lead">{words.same}</p>}
      <ChangeList changes={changes} />
      {offers.length > 0 && (
        <ul class="versions">
          {offers.map((offer) => (
            <li key={`${offer.change} ${offer.tool}`}>
              <p class="decision-line">
                <strong class="mono">{offer.tool}</strong> {words[offer.change](offer.turns)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
