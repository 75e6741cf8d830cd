/** Settings that nobody reads because their name is misspelt. Pure. */
import { nearestName } from "../lib/text/nearest-name.ts";
import { kindOfSetting, settingNames } from "./names.ts";

/** Of `npm start`, the terminal's commands and the tests; the Worker has no use for them. */
export const programSettings = ["PORT", "TOOLGATE_POLICY", "TOOLGATE_STATE", "TOOLGATE_KEY"] as const;
const OTHERS = new Set<string>([...programSettings, "TOOLGATE_DEV", "TOOLGATE_DATA", "TOOLGATE_LAW_SEED"]);

/** No other program's variables begin so. */
const OWN = /^(TOOLGATE|UPSTREAM)_/;
/** How the other settings begin; an environment has variables of other programs that begin so, too. */
const SHARED =
  /^(TOOL|OTEL|EMBEDDINGS|DETECTOR|PLANNER|CLIENT|JWT|KEY|CORS|MAX|PUBLIC|CONSOLE|AUDIT|SIGNING|CONNECTION|WEBHOOKS?|METRICS|SERVER|LOG)(_|$)/;

/**
 * One line each, without a value.
 * @param names of the variables of the environment and of the gateway's own file.
 */
export function misspeltSettings(names: Iterable<string>): string[] {
  const known = [...settingNames, ...programSettings];
  return [...names].sort().flatMap((name) => {
    if (kindOfSetting(name) !== undefined || OTHERS.has(name)) return [];
    const own = OWN.test(name.toUpperCase());
    if (!own && !SHARED.test(name.toUpperCase())) return [];
    // Who counts from 0 or 1 means the first, which has no number.
    const nearest = nearestName(name.replace(/^UPSTREAM_[01]_/i, "UPSTREAM_"), known);
    if (nearest !== undefined) return [`${name} is no setting and is not read: did you mean ${nearest}?`];
    return own ? [`${name} is no setting and is not read`] : [];
  });
}
