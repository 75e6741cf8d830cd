/** Small components of pages that show the trail: effects, counts of effects, reasons, origins, and links to sessions. */
import type { EffectCounts, EffectName } from "../../api-views/trail-views.ts";
import { Pill, type Tone } from "../parts/parts.tsx";
import type { IconName } from "../shell/icon.tsx";
import { Prose } from "../shell/page-parts.tsx";
import { originWords, reasonWords, trailTexts } from "./trail-texts.ts";

const TONES: Readonly<Record<EffectName, Tone>> = { allow: "go", confirm: "wait", deny: "grave" };
const ICONS: Readonly<Record<EffectName, IconName>> = { allow: "check", confirm: "question", deny: "cross" };

export const EffectPill = ({ effect }: { readonly effect: EffectName }) => (
  <Pill tone={TONES[effect]} icon={ICONS[effect]}>
    {trailTexts.effect[effect]}
  </Pill>
);

/** Effects without calls are left out. */
export const EffectPills = ({ counts }: { readonly counts: EffectCounts }) => (
  <span class="pills">
    {(["allow", "confirm", "deny"] as const)
      .filter((effect) => counts[effect] > 0)
      .map((effect) => (
        <Pill key={effect} tone={TONES[effect]} icon={ICONS[effect]}>
          <span class="visually-hidden">{trailTexts.effect[effect]} </span>
          {counts[effect]}
        </Pill>
      ))}
  </span>
);

interface ReasonsProps {
  readonly reasons: readonly { readonly code: string; readonly message?: string | undefined }[];
}

/** Why a call was decided as it was. The messages are the gateway's, in English. */
export const Reasons = ({ reasons }: ReasonsProps) => (
  <ul>
    {reasons.map(({ code, message }) => (
      <li key={code}>
        <strong title={code}>{reasonWords(code)}</strong>
        {message && (
          <span lang="en">
            : <Prose text={message} />
          </span>
        )}
      </li>
    ))}
  </ul>
);

interface OriginsProps {
  readonly origins: readonly { readonly path: string; readonly origin: string; readonly tool?: string | undefined }[];
}

/** Where the values of a call came from. */
export const Origins = ({ origins }: OriginsProps) => (
  <>
    {origins.map(({ path, origin, tool }) => (
      <p key={path} class="hint">
        {trailTexts.from(path, originWords(origin), tool)}
      </p>
    ))}
  </>
);

/** @param turn the turn that the page scrolls to. */
export const sessionLink = (session: string, turn?: string | null): string =>
  `/console/sessions/${encodeURIComponent(session)}${turn ? `?turn=${encodeURIComponent(turn)}` : ""}`;
