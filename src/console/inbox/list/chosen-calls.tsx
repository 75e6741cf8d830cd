/** The chosen calls with all their values, and below them the buttons for one answer: the user passes the values first. */
import type { ApprovalView } from "../../../api-views/approval-views.ts";
import { ActIcon } from "../../parts/act-icon.tsx";
import { me } from "../../sign-in/me.ts";
import { approvalOf } from "../approvals.ts";
import { shownValues } from "../card/values.tsx";
import { answersPaused } from "../listed.ts";
import { answerTogether, canApproveTogether } from "./answer-together.ts";
import { chooseAlike, chooseNone, chosenCalls } from "./selection.ts";
import { texts } from "./texts.ts";

export function ChosenCalls() {
  const calls = chosenCalls.value.flatMap((id) => approvalOf(id) ?? []);
  const tools = [...new Set(calls.map(({ tool }) => tool))];
  const others = calls.filter((one) => !canApproveTogether(one)).length;
  const answer = (action: "approve" | "deny") => {
    if (answersPaused.peek()) return;
    const ids = calls.map(({ id }) => id);
    chooseNone();
    answerTogether(ids, action);
  };
  return (
    <section class="card chosen-calls" aria-label={texts.chosen(calls.length)}>
      <div class="page-head">
        <h2>{texts.chosen(calls.length)}</h2>
        <button type="button" class="quiet" onClick={chooseAlike}>
          {texts.alike}
        </button>
        <button type="button" class="quiet" onClick={chooseNone}>
          {texts.none}
        </button>
      </div>
      {tools.map((tool) => (
        <CallTable key={tool} tool={tool} calls={calls.filter((one) => one.tool === tool)} />
      ))}
      <div class="answer">
        {others > 0 && <p class="hint">{texts.oneByOne(others)}</p>}
        <div class="buttons">
          <button type="button" class="button" aria-disabled={answersPaused.value} onClick={() => answer("deny")}>
            {texts.deny(calls.length)}
          </button>
          {others === 0 && (
            <button
              type="button"
              class="button strong"
              aria-disabled={answersPaused.value}
              onClick={() => answer("approve")}
            >
              {texts.approve(calls.length)}
            </button>
          )}
        </div>
      </div>
    </section>
  );
}

function CallTable({ tool, calls }: { readonly tool: string; readonly calls: readonly ApprovalView[] }) {
  const rows = calls.map((call) => ({ call, values: new Map(shownValues(call).map((one) => [one.name, one])) }));
  const names = [...new Set(rows.flatMap(({ values }) => [...values.keys()]))];
  const foreign = calls.some(({ user }) => user !== undefined && user !== me.value?.user);
  return (
    <div class="scrolls">
      <table class="table">
        <caption>
          <ActIcon tool={tool} />
          <span class="mono">{tool}</span>
        </caption>
        <thead>
          <tr>
            {foreign && <th scope="col">{texts.whose}</th>}
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ call, values }) => (
            <tr key={call.id}>
              {foreign && <td>{call.user ?? texts.yours}</td>}
              {names.map((name) => {
                const value = values.get(name);
                return (
                  <td key={name} class="mono">
                    {value === undefined || value.isHidden || value.isPrivate ? "–" : value.text}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
