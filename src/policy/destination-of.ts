/** The destination of a tool's data in the policy's words: one form for records and comparisons, and all languages for people. Pure. */
import { hostOf } from "../lib/host.ts";
import { type LocalText, oneForm } from "../lib/text/languages.ts";
import { unique } from "../lib/unique.ts";
import type { DiscoveredTool } from "./compile.ts";
import type { ToolSettings } from "./document/document-parts.ts";

interface NamedDestination {
  readonly destination?: string;
  /** Absent if several groups name one. */
  readonly destinationText?: LocalText;
}

/** @param groups the settings of the tool's groups. */
export function destinationOf(
  own: ToolSettings | undefined,
  groups: readonly ToolSettings[],
  discovered: DiscoveredTool | undefined,
): NamedDestination {
  if (own?.destination !== undefined)
    return { destination: oneForm(own.destination), destinationText: own.destination };
  const texts = groups.flatMap(({ destination }) => destination || []);
  const joined = unique(texts.map(oneForm)).join(" and ");
  const destination = joined || discovered?.destination || hostOfRun(own);
  const destinationText = texts.length > 1 ? undefined : (texts[0] ?? discovered?.destinationText);
  return { ...(destination ? { destination } : {}), ...(destinationText ? { destinationText } : {}) };
}

/** Without a `destination` the host is shown as the destination; an approval for one host is valid for no other. */
const hostOfRun = (own: ToolSettings | undefined): string | undefined =>
  own?.run?.kind === "http" || own?.run?.kind === "builtin" ? own.run.url && hostOf(own.run.url) : undefined;
