/** Replays the calls of the last days under the draft, page by page. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ReplayView } from "../../api-views/policy-views.ts";
import { call, type Failure } from "../api/call.ts";
import { FailureNote } from "../shell/page-parts.tsx";
import { ChangeList } from "./change-list.tsx";
import { type Draft, documentOf } from "./draft.ts";
import { texts } from "./texts.ts";

export function ReplayPanel({ tenant, draft }: { readonly tenant: string; readonly draft: Draft }) {
  const words = texts.replay;
  const result = useSignal<Replayed | undefined>(undefined);
  const running = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);

  async function run(days: string): Promise<void> {
    const policy = documentOf(draft.text.value);
    if (running.value || !policy) return;
    running.value = true;
    failure.value = undefined;
    let sum: Replayed | undefined;
    let after: string | null = null;
    do {
      const body: object = { policy, since: `${days}d`, ...(after === null ? {} : { after }) };
      const path = `/admin/policies/${encodeURIComponent(tenant)}/replay`;
      const page: Awaited<ReturnType<typeof call<ReplayView>>> = await call<ReplayView>(path, {
        method: "POST",
        body,
        signal: leaving.current.signal,
      });
      if (!page.ok) {
        failure.value = page.error;
        break;
      }
      sum = addPage(sum, page.value);
      result.value = sum;
      after = page.value.has_more ? page.value.last_id : null;
    } while (after !== null);
    running.value = false;
  }

  return (
    <>
      <p class="hint">{words.lead}</p>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          void run(String(new FormData(event.currentTarget).get("days") ?? "7"));
        }}
      >
        <label>
          {words.days}
          <input name="days" type="number" min={1} max={90} defaultValue="7" />
        </label>
        <button type="submit" class="button strong" aria-disabled={running.value}>
          {words.run}
        </button>
      </form>
      {failure.value && <FailureNote failure={failure.value} />}
      {result.value && <Result replayed={result.value} isRunning={running.value} />}
    </>
  );
}

function Result({ replayed, isRunning }: { readonly replayed: Replayed; readonly isRunning: boolean }) {
  const words = texts.replay;
  const { judged, same, unjudged, changes } = replayed;
  return (
    <>
      <p role="status">
        {isRunning ? words.running(judged) : words.result(judged, same)} {unjudged > 0 && words.unjudged(unjudged)}
      </p>
      {!isRunning && changes.length === 0 && <p class="lead">{words.none}</p>}
      <ChangeList changes={changes} />
    </>
  );
}

type Change = ReplayView["changes"][number];

interface Replayed {
  readonly judged: number;
  readonly same: number;
  readonly unjudged: number;
  /** The most calls first. */
  readonly changes: readonly Change[];
}

function addPage(sum: Replayed | undefined, page: ReplayView): Replayed {
  const changes = new Map((sum?.changes ?? []).map((change) => [keyOf(change), change]));
  for (const change of page.changes) {
    const known = changes.get(keyOf(change));
    const both = known ? { ...known, calls: known.calls + change.calls } : change;
    changes.set(keyOf(change), both);
  }
  const unjudged = Object.values(page.unjudged).reduce((all, count) => all + count, 0);
  return {
    judged: (sum?.judged ?? 0) + page.judged,
    same: (sum?.same ?? 0) + page.same,
    unjudged: (sum?.unjudged ?? 0) + unjudged,
    changes: [...changes.values()].sort((one, other) => other.calls - one.calls),
  };
}

const keyOf = ({ tool, from, to, reasons }: Change): string => JSON.stringify([tool, from, to, reasons]);
