/** The tools of the policy in force, with the settings of each. */

import type { PolicyView } from "../../api-views/policy-views.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { ActIcon } from "../parts/act-icon.tsx";
import { Pill, Table } from "../parts/parts.tsx";
import { useApi } from "../parts/use-api.ts";
import { ruleAddress } from "../policies/policy-address.ts";
import { FailureNote, SkeletonRows } from "../shell/page-parts.tsx";
import { me } from "../sign-in/me.ts";
import { trailTexts } from "../trail/trail-texts.ts";
import { texts } from "./texts.ts";

export function PolicyTools() {
  const { value, failure, reload } = useApi<PolicyView>(
    `/admin/policies/${encodeURIComponent(me.value?.tenant ?? "")}`,
  );
  const listed = value.value?.document.tools;
  const tools = Object.entries(isObject(listed) ? listed : {});
  return (
    <section class="halves-section">
      <h2>{texts.inPolicy}</h2>
      {failure.value && <FailureNote failure={failure.value} retry={reload} />}
      {!value.value && !failure.value && <SkeletonRows />}
      {value.value && tools.length === 0 && <p class="lead">{texts.noListed}</p>}
      {tools.length > 0 && (
        <Table heads={[texts.tool, texts.category, texts.roles, texts.rules]}>
          {tools.map(([name, settings]) => (
            <ToolRow key={name} name={name} settings={isObject(settings) ? settings : {}} />
          ))}
        </Table>
      )}
    </section>
  );
}

/** The settings that decide; wording and schemas are left out. */
const RULES = ["confirm", "sensitive", "rateLimits", "atMost", "conditions", "after", "neverAfter", "enforce", "undo"];

function ToolRow({ name, settings }: { readonly name: string; readonly settings: Readonly<Record<string, unknown>> }) {
  const { category, roles } = settings;
  const rules = RULES.filter((rule) => settings[rule] !== undefined);
  return (
    <tr>
      <td>
        <span class="decision-line">
          <ActIcon tool={name} />
          <a
            class="mono row-link"
            href={`/console/audit?kind=decisions&tool=${encodeURIComponent(name)}`}
            title={texts.look}
          >
            {name}
          </a>
        </span>
      </td>
      <td class="mono">{typeof category === "string" ? category : "–"}</td>
      <td>{Array.isArray(roles) ? roles.join(", ") : texts.everybody}</td>
      <td>
        <span class="decision-line">
          {rules.map((rule) => (
            <Pill key={rule} tone="calm">
              {ruleText(rule, settings[rule])}
            </Pill>
          ))}
          <a class="row-link" href={ruleAddress(name)}>
            {trailTexts.seeRule}
            <span class="visually-hidden"> {name}</span>
          </a>
        </span>
      </td>
    </tr>
  );
}

/** A setting by its name, with its amount: `rateLimits: 12/1d`, `atMost: 1/task`, `conditions: 2`. */
function ruleText(rule: string, value: unknown): string {
  if (typeof value === "string") return `${rule}: ${value}`;
  if (rule === "rateLimits" && Array.isArray(value))
    return `${rule}: ${value
      .filter(isObject)
      .map(({ max, window }) => `${max}/${window}`)
      .join(", ")}`;
  if (rule === "atMost" && isObject(value))
    return `${rule}: ${Object.entries(value)
      .map(([per, max]) => `${max}/${per}`)
      .join(", ")}`;
  return Array.isArray(value) ? `${rule}: ${value.length}` : rule;
}
