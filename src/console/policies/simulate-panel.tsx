/** Simulates a turn under the draft. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { SimulationView } from "../../api-views/policy-views.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { call, type Failure } from "../api/call.ts";
import { rolesOf } from "../parts/roles.ts";
import { FailureNote } from "../shell/page-parts.tsx";
import { type Draft, documentOf } from "./draft.ts";
import { triedCall } from "./policy-address.ts";
import { texts as words } from "./simulate-texts.ts";
import { Simulated } from "./simulated.tsx";

export function SimulatePanel({ tenant, draft }: { readonly tenant: string; readonly draft: Draft }) {
  const result = useSignal<{ readonly message: string; readonly simulation: SimulationView } | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const current = documentOf(draft.text.value);
  // While the draft cannot be read, the choices are those of the last readable text.
  const readable = useRef(current);
  if (current) readable.current = current;
  const policy = readable.current;
  const tried = useMemo(() => triedCall.peek(), []);
  // Only once: after that the form belongs to the user.
  useEffect(() => {
    triedCall.value = undefined;
  }, []);
  const names = Object.keys(typeof policy?.tools === "object" && policy.tools !== null ? policy.tools : {});

  async function run(form: HTMLFormElement): Promise<void> {
    if (!current) return;
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
      policy: current,
    };
    const path = `/admin/policies/${encodeURIComponent(tenant)}/simulate`;
    const simulated = await call<SimulationView>(path, { method: "POST", body });
    failure.value = simulated.ok ? undefined : simulated.error;
    result.value = simulated.ok ? { message: body.user, simulation: simulated.value } : undefined;
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
          <NameChoice
            label={words.role}
            name="role"
            names={rolesOf(policy)}
            chosen={tried?.role}
            none={words.weakest}
          />
          <NameChoice
            label={words.mode}
            name="mode"
            names={Object.keys(isObject(policy?.modes) ? policy.modes : {})}
            chosen={tried?.mode}
            none={words.asUsual}
          />
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
          <textarea
            name="calls"
            rows={2}
            class="mono"
            placeholder={words.callsHint}
            defaultValue={tried && `${tried.tool} ${JSON.stringify(tried.arguments)}`}
          />
        </label>
        <button type="submit" class="button strong" aria-disabled={!current}>
          {words.run}
        </button>
      </form>
      {failure.value && <FailureNote failure={failure.value} />}
      {result.value && <Simulated {...result.value} />}
    </>
  );
}

interface NameChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly names: readonly string[];
  /** The initial value. */
  readonly chosen: string | undefined;
  /** The text of the default. */
  readonly none: string;
}

const NameChoice = ({ label, name, names, chosen, none }: NameChoiceProps) => (
  <label>
    {label}
    <select name={name}>
      <option value="">{none}</option>
      {names.map((one) => (
        <option key={one} value={one} selected={one === chosen}>
          {one}
        </option>
      ))}
    </select>
  </label>
);

const toolNamed = (name: string) => ({ type: "function", function: { name, parameters: { type: "object" } } });

/** Reads `name {…}`. Arguments that are no JSON are sent as text, and the gateway reports the error. */
function readCall(line: string): object {
  const [, name = "", rest = ""] = /^\s*(\S+)\s*(.*)$/.exec(line) ?? [];
  if (rest === "") return { name };
  try {
    return { name, arguments: JSON.parse(rest) as unknown };
  } catch {
    return { name, arguments: rest };
  }
}
