/** For operators: whether the list shows their own calls or everybody's. */
import { me } from "../sign-in/who.ts";
import { texts } from "../texts/texts.ts";
import { showWholeTenant, wholeTenant } from "./scope.ts";
import { othersWaiting, waitingCounts } from "./waiting-counts.ts";

/** @param counts whether it says how many wait. */
export function ScopeSwitch({ counts }: { readonly counts?: boolean }) {
  if (!me.value?.sees_tenant) return null;
  const words = texts.scope;
  const others = othersWaiting.value;
  const { mine } = waitingCounts.value;
  const numbers = {
    own: String(mine),
    all: others && `${mine + others.count}${others.more ? "+" : ""}`,
  };
  return (
    <fieldset class="switch">
      <legend class="visually-hidden">{words.label}</legend>
      {(["own", "all"] as const).map((scope) => (
        <label key={scope}>
          <input
            type="radio"
            name="scope"
            checked={wholeTenant.value === (scope === "all")}
            onChange={() => showWholeTenant(scope === "all")}
          />
          <span>{words[scope]}</span>
          {counts && numbers[scope] !== undefined && <span class="number">{numbers[scope]}</span>}
        </label>
      ))}
    </fieldset>
  );
}
