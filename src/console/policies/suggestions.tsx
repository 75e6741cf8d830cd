/** Suggested rules that would ask less often, for calls that users always approve: one press adds a rule to the draft. */

import type { ListOf } from "../../api-views/approval-views.ts";
import type { SuggestionView } from "../../api-views/policy-views.ts";
import { useApi } from "../parts/use-api.ts";
import { withSuggestion } from "./document-edits.ts";
import { type Draft, documentOf, textOfDocument } from "./draft.ts";
import { texts } from "./texts.ts";

export function Suggestions({ tenant, draft }: { readonly tenant: string; readonly draft: Draft }) {
  const words = texts.suggest;
  const { value } = useApi<ListOf<SuggestionView>>(`/admin/policies/${encodeURIComponent(tenant)}/suggestions`);
  const suggestions = value.value?.data ?? [];
  if (suggestions.length === 0) return null;
  return (
    <>
      <h2>{words.title}</h2>
      <ul class="versions">
        {suggestions.map((one) => (
          <li key={one.tool}>
            <p class="decision-line">
              <strong class="mono">{one.tool}</strong> {words.always(one.approved, one.users)}
            </p>
            <p class="hint">{words.rule(one.set.conditions?.map(({ say }) => say) ?? [])}</p>
            <p class="pills">
              <button
                type="button"
                class="filter-pill"
                onClick={() => {
                  const document = documentOf(draft.text.value);
                  if (document) draft.replace(textOfDocument(withSuggestion(document, one)));
                }}
              >
                {words.take}
              </button>
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
