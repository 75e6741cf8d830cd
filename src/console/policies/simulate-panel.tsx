/** Simulates a turn under the draft. */
import { useSignal } from "@preact/signals";
import { call, type Failure } from "../api/call.ts";
import type { SimulationView } from "../api/policy-views.ts";
import { FailureNote, Prose } from "../shell/page-parts.tsx";
import { EffectPill } from "../trail/trail-parts.tsx";
import { reasonWords } from "../trail/trail-texts.ts";
import { type Draft, documentOf } from "./draft.ts";
import { texts } from "./texts.ts";

export function SimulatePanel({ tenant, draft }: { readonly tenant: string; readonly draft: Draft }) {
  const words = texts.simulate;
  const result = useSignal<SimulationView | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const policy = documentOf(draft.text.value);
  const names = Object.keys(typeof policy?.tools === "object" && policy.tools !== null ? policy.tools : {});

  async function run(form: HTMLFormElement): Promise<void> {
    const fields = new FormData(form);
    const field = (name: string) => String(fields.get(name) ?? "").trim();
    const optional = (name: string) => (field(name) === "" ? {} : { [name]: field(name) });
    const body = {
      user: field("user"),
      ...optional("role"),
      ...optional("mode"),
      ...optional("after"),
      tools: field("tools")
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(toolNamed),
      calls: field("calls")
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map(readCall),
      ...(policy ? { policy } : {}),
    };
    const path = `/admin/policies/${encodeURIComponent(tenant)}/simulate`;
    const simulated = await call<SimulationView>(path, { method: "POST", body });
    failure.value = simulated.ok ? undefined : simulated.error;
    result.value = simulated.ok ? simulated.value : undefined;
  }

  return (
    <>
      <p class="hint">{words.lead}</p>
      <form
        class="stacked"
        onSubmit={(event) => {
          event.preventDefault();
          void run(event.currentTarget);
        }}
      >
        <label>
          {words.user}
          <input name="user" required autocomplete="off" />
        </label>
        <div class="pair">
          <label>
            {words.role}
            <input name="role" autocomplete="off" />
          </label>
          <label>
            {words.mode}
            <input name="mode" autocomplete="off" />
          </label>
        </div>
        <label>
          {words.tools}
          <textarea name="tools" rows={2} defaultValue={names.filter((name) => !/[*:]/.test(name)).join(" ")} />
        </label>
        <label>
          {words.after}
          <input name="after" autocomplete="off" />
        </label>
        <label>
          {words.calls}
          <textarea name="calls" rows={2} class="mono" placeholder={words.callsHint} />
        </label>
        <button type="submit" class="button strong">
          {words.run}
        </button>
      </form>
      {failure.value && <FailureNote failure={failure.value} />}
      {result.value && <Simulated simulation={result.value} />}
    </>
  );
}

const toolNamed = (name: string) => ({ type: "function", function: { name, parameters: { type: "object" } } });

/** `name {…}`; what is no JSON goes as the text that it is, and the gateway says what is wrong with it. */
function readCall(line: string): object {
  const [, name = "", rest = ""] = /^\s*(\S+)\s*(.*)$/.exec(line) ?? [];
  if (rest === "") return { name };
  try {
    return { name, arguments: JSON.parse(rest) as unknown };
  } catch {
    return { name, arguments: rest };
  }
}

function Simulated({ simulation }: { readonly simulation: SimulationView }) {
  const words = texts.simulate;
  const heard = simulation.detection?.intents ?? [];
  return (
    <div role="status">
      <dl class="turn-facts">
        <dt>{words.heard}</dt>
        <dd class="mono">{heard.map(({ name }) => name).join(", ") || words.nothing}</dd>
        <dt>{words.state}</dt>
        <dd class="mono">{simulation.state}</dd>
        {simulation.steps.at(-1) && (
          <>
            <dt>{words.offered}</dt>
            <dd class="mono">{simulation.steps.at(-1)?.offered.join(", ") || "–"}</dd>
            <dt>{words.withheld}</dt>
            <dd>
              {simulation.steps
                .at(-1)
                ?.withheld.map(
                  ({ name, reasons }) => `${name} (${reasons.map(({ code }) => reasonWords(code)).join(", ")})`,
                )
                .join("; ") || "–"}
            </dd>
          </>
        )}
      </dl>
      {simulation.stopped && <p class="note warn">{simulation.stopped.message}</p>}
      {simulation.steps.flatMap(({ calls }) =>
        calls.map(({ id, name, effect, reasons, question }) => (
          <div key={id} class="decision">
            <EffectPill effect={effect} />
            <div>
              <strong class="mono">{name}</strong>
              <ul>
                {reasons.map(({ code, message }) => (
                  <li key={code}>
                    <strong>{reasonWords(code)}</strong>
                    {message && (
                      <span lang="en">
                        : <Prose text={message} />
                      </span>
                    )}
                  </li>
                ))}
              </ul>
              {question && (
                <details open>
                  <summary>{words.question}</summary>
                  <pre class="json">{question.text}</pre>
                </details>
              )}
            </div>
          </div>
        )),
      )}
    </div>
  );
}
