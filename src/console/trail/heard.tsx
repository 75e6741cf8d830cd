/** The user's message, if the policy keeps it, and the intents detected in it. */
import type { DetectedIntent, SaidWords } from "../../api-views/trail-views.ts";
import { Pill } from "../parts/parts.tsx";
import { percent } from "../texts/texts.ts";
import { texts } from "./heard-texts.ts";

/** The message with the evidence for intents marked; discounted evidence is struck out. */
export function Said({ words }: { readonly words: readonly SaidWords[] | undefined }) {
  if (!words || words.length === 0) return null;
  return (
    <figure class="own-words user-words">
      <figcaption>{texts.wrote}</figcaption>
      <blockquote dir="auto">
        {words.map(({ text, heard, discounted }, index) => {
          const key = `${index} ${text}`;
          if (heard)
            return (
              <mark key={key} title={texts.marked(heard.join(", "))}>
                {text}
              </mark>
            );
          return discounted ? (
            <s key={key} title={texts.notCounted(discounted.join(", "))}>
              {text}
            </s>
          ) : (
            text
          );
        })}
      </blockquote>
    </figure>
  );
}

/** The keywords, patterns and examples of the policy that matched. The user's own words are in a record only if the policy keeps them. */
export function Heard({ intents, discounted }: HeardProps) {
  return (
    <ul class="plain-list">
      {intents.length === 0 && <li class="hint">{texts.nothingHeard}</li>}
      {intents.map(({ name, confidence, layer, evidence }) => (
        <li key={name}>
          <span class="mono">{name}</span> <span class="hint">{texts.by(layerWords(layer), percent(confidence))}</span>{" "}
          {[...new Set(evidence.map(({ source }) => source))].filter(Boolean).map((source) => (
            <Source key={source} source={source} />
          ))}
        </li>
      ))}
      {discounted.map(({ name, evidence }) => (
        <li key={name} class="hint">
          <s class="mono">{name}</s> {[...new Set(evidence.map(whyNot))].join(", ")}
        </li>
      ))}
    </ul>
  );
}

/** UTF-16 units, enough for an example of the policy; a pattern with many words is longer and is cut. */
const LONGEST = 80;

/** A keyword, pattern or example of the policy. */
function Source({ source }: { readonly source: string }) {
  if (source.length <= LONGEST) return <Pill tone="calm">{source}</Pill>;
  return (
    <details class="long-source">
      <summary>
        <Pill tone="calm">{`${source.slice(0, LONGEST - 1).toWellFormed()}…`}</Pill>
      </summary>
      <code>{source}</code>
    </details>
  );
}

interface HeardProps {
  readonly intents: readonly DetectedIntent[];
  /** Intents with evidence that was discounted. */
  readonly discounted: readonly DetectedIntent[];
}

const whyNot = ({ discounted = "" }: DetectedIntent["evidence"][number]): string =>
  (texts.discounted as Readonly<Record<string, string>>)[discounted] ?? discounted;

const layerWords = (layer: string): string => (texts.layers as Readonly<Record<string, string>>)[layer] ?? layer;
