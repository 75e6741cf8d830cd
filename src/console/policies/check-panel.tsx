/** What the gateway says of a draft: its errors, or what it would change and whether its invariants hold. */
import { Pill } from "../parts/parts.tsx";
import { FailureNote, Prose } from "../shell/page-parts.tsx";
import type { Check } from "./draft.ts";
import type { Issue } from "./json-editor.tsx";
import { texts } from "./texts.ts";

export function CheckPanel({ check }: { readonly check: Check }) {
  switch (check.state) {
    case "unchanged":
      return <p class="lead">{texts.unchanged}</p>;
    case "checking":
      return <p role="status">{texts.checking}</p>;
    case "not_json":
      return <p class="note warn">{texts.broken}</p>;
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
      return <Valid {...check} />;
  }
}

function Valid({ issues, changes, proof }: Extract<Check, { state: "valid" }>) {
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
