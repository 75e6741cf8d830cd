/** Runs cases under the draft by simulated turns. */
import { useSignal } from "@preact/signals";
import type { SimulationView } from "../../api-views/policy-views.ts";
import { call, type Failure } from "../api/call.ts";
import { forgetCases, keptCases } from "../parts/kept-cases.ts";
import { Pill } from "../parts/parts.tsx";
import { FailureNote, Prose } from "../shell/page-parts.tsx";
import { texts } from "./case-texts.ts";
import { type Draft, documentOf } from "./draft.ts";
import { type Difference, judgeCase, readCases } from "./judge-case.ts";

interface Judged {
  readonly name: string;
  /** Undefined: only `policy test` can judge the case. */
  readonly differences: readonly Difference[] | undefined;
}

export function CasesPanel({ tenant, draft }: { readonly tenant: string; readonly draft: Draft }) {
  const judged = useSignal<readonly Judged[]>([]);
  const failure = useSignal<Failure | undefined>(undefined);
  const note = useSignal("");
  const kept = useSignal(keptCases().cases.length);

  async function run(text: string): Promise<void> {
    const policy = documentOf(draft.text.value);
    if (!policy) return;
    const cases = readCases(text);
    judged.value = [];
    failure.value = undefined;
    note.value = cases ? "" : texts.noCases;
    for (const [at, one] of (cases ?? []).entries()) {
      note.value = texts.running(at, cases?.length ?? 0);
      const found = one.simulation && (await simulate(tenant, { ...one.simulation, policy }));
      if (found && !found.ok) {
        failure.value = found.error;
        break;
      }
      judged.value = [...judged.value, { name: one.name, differences: found && judgeCase(one, found.value) }];
    }
    if (!cases) return;
    const count = (is: (differences: Judged["differences"]) => boolean) =>
      judged.value.filter(({ differences }) => is(differences)).length;
    note.value = texts.result(
      count((found) => found?.length === 0),
      count((found) => found !== undefined && found.length > 0),
      count((found) => found === undefined),
    );
  }

  return (
    <>
      <p class="hint">
        <Prose text={texts.lead} />
      </p>
      <div class="stacked">
        <label>
          {texts.file}
          <input
            type="file"
            accept=".json,application/json"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file) void file.text().then(run);
            }}
          />
        </label>
        {kept.value > 0 && (
          <div class="buttons">
            <button type="button" class="button" onClick={() => void run(JSON.stringify(keptCases()))}>
              {texts.kept(kept.value)}
            </button>
            <button
              type="button"
              class="quiet"
              onClick={() => {
                forgetCases();
                kept.value = 0;
              }}
            >
              {texts.forget}
            </button>
          </div>
        )}
      </div>
      {failure.value && <FailureNote failure={failure.value} />}
      <p role="status">
        <Prose text={note.value} />
      </p>
      <ul class="plain-list">
        {judged.value.map(({ name, differences }, index) => (
          <li key={`${index} ${name}`} class="case-line">
            <Outcome differences={differences} /> {name}
            {differences?.map(({ what, expected, found }) => (
              <p key={what} class="hint">
                <span class="mono">{what}</span>: {texts.expected} <span class="mono">{expected}</span>, {texts.found}{" "}
                <span class="mono">{found}</span>
              </p>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

function Outcome({ differences }: Pick<Judged, "differences">) {
  if (differences === undefined) return <Pill tone="calm">{texts.left}</Pill>;
  return differences.length === 0 ? <Pill tone="go">{texts.passed}</Pill> : <Pill tone="grave">{texts.failed}</Pill>;
}

const simulate = (tenant: string, body: object) =>
  call<SimulationView>(`/admin/policies/${encodeURIComponent(tenant)}/simulate`, { method: "POST", body });
