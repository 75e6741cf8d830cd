/** The gateway's check of a draft: its errors, or its changes and whether its invariants hold. */
import { Pill } from "../parts/parts.tsx";
import { lazyPage } from "../shell/lazy-page.tsx";
import { FailureNote, Prose } from "../shell/page-parts.tsx";
import type { Check } from "./draft.ts";
import type { Issue } from "./editor/json-editor.tsx";
import { texts } from "./texts.ts";

const Merge = lazyPage(() => import("./editor/merge-view.tsx").then(({ Merge }) => Merge));

/** @param before the text of the policy in force. */
export function CheckPanel({ check, before }: { readonly check: Check; readonly before: string }) {
  switch (check.state) {
    case "unchanged":
      return <p class="lead">{texts.unchanged}</p>;
    case "checking":
      return <p role="status">{texts.checking}</p>;
    case "not_json":
      return <NotJson issues={check.issues} />;
    case "failed":
      return <FailureNote failure={check.failure} />;
    case "refused":
      return (
        <>
          <h2 class="grave-text">{texts.errors(check.issues.length)}</h2>
          <Issues issues={check.issues} />
        </>
      );
    case "valid":
      return <Valid {...check} before={before} />;
  }
}

/** Positions at which the draft cannot be read, in the words of `policy check`. */
export const NotJson = ({ issues }: { readonly issues: readonly Issue[] }) => (
  <div class="note warn">
    <p>{texts.broken}</p>
    <ul class="changes-list" lang="en">
      {issues.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          <Prose text={message} />
        </li>
      ))}
    </ul>
  </div>
);

interface ValidProps extends Extract<Check, { state: "valid" }> {
  readonly before: string;
}

function Valid({ text, before, issues, changes, proof }: ValidProps) {
  return (
    <>
      <h2>{texts.changes}</h2>
      {changes.length === 0 && <p>{texts.noChanges}</p>}
      <ul class="changes-list" lang="en">
        {changes.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {proof.invariants.length > 0 && <h2>{texts.invariants}</h2>}
      <ul class="changes-list">
        {proof.invariants.map(({ path, say, proved, situations, counterexample, problem }) => (
          <li key={path}>
            <Pill tone={proved ? "go" : "grave"} icon={proved ? "check" : "cross"}>
              {say}
            </Pill>{" "}
            {proved ? texts.holds(situations) : texts.fails}{" "}
            {!proved && <Prose text={counterexample?.text ?? problem ?? ""} />}
          </li>
        ))}
      </ul>
      {issues.length > 0 && <h2>{texts.warnings}</h2>}
      <Issues issues={issues} />
      <h2>{texts.lines}</h2>
      <Merge before={before} after={text} label={texts.lines} />
    </>
  );
}

const Issues = ({ issues }: { readonly issues: readonly Issue[] }) => (
  <ul class="changes-list" lang="en">
    {issues.map(({ path, message }) => (
      <li key={`${path} ${message}`}>
        <code>{path || "/"}</code> <Prose text={message} />
      </li>
    ))}
  </ul>
);
