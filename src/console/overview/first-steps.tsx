/** The first three steps of a new operator. Hidden once all are done. */

import type { PolicyView } from "../../api-views/policy-views.ts";
import type { SummaryView } from "../../api-views/trail-views.ts";
import { DAY_MS } from "../../lib/time.ts";
import { Pill } from "../parts/parts.tsx";
import { useApi } from "../parts/use-api.ts";
import { Prose } from "../shell/page-parts.tsx";
import { me } from "../sign-in/me.ts";
import { texts } from "./texts.ts";

export function FirstSteps() {
  const policy = useApi<PolicyView>(`/admin/policies/${encodeURIComponent(me.value?.tenant ?? "")}`).value.value;
  const from = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - 90 * DAY_MS).toISOString();
  const summary = useApi<SummaryView>(`/v1/audit/summary?from=${from}`).value.value;
  if (!policy || !summary) return null;
  const { approved = 0, edited = 0 } = summary.approvals;
  const steps = [
    { ...texts.steps.send, href: "/console/playground", done: summary.turns > 0 },
    { ...texts.steps.approve, href: "/console/approvals", done: approved + edited > 0 },
    { ...texts.steps.put, href: "/console/policy", done: policy.version !== null },
  ];
  if (steps.every(({ done }) => done)) return null;
  return (
    <section class="panel-box padded">
      <h2>{texts.firstSteps}</h2>
      <ol class="first-steps">
        {steps.map(({ text, how, href, done }) => (
          <li key={href}>
            <a class="row-link" href={href}>
              {text}
            </a>{" "}
            {done && (
              <Pill tone="go" icon="check">
                {texts.stepDone}
              </Pill>
            )}
            <p class="hint">
              <Prose text={how} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
