/** Tracks what has been opened in a UI message stream, and must be closed before anything else is. Mutable, one per reply. */
import { dataEvent } from "../../wire/write-event.ts";

export interface UiStream {
  /** @param opening events that follow the first one. */
  begin(opening: () => string): string;
  /** Opens the step if it is not open, and closes the open text. */
  step(): string;
  readonly inStep: boolean;
  /** @param opensStep false: it belongs to the step that the message ends with. */
  text(text: string, opensStep?: boolean): string;
  reasoning(text: string): string;
  end(): string;
}

export function uiStream(): UiStream {
  let begun = false;
  let inStep = false;
  let part: "text" | "reasoning" | undefined;
  let count = 0;
  const close = (): string => {
    const out = part ? dataEvent({ type: `${part}-end`, id: `${part}-${count}` }) : "";
    part = undefined;
    return out;
  };
  const step = (): string => {
    const out = close();
    if (inStep) return out;
    inStep = true;
    return out + dataEvent({ type: "start-step" });
  };
  const delta = (kind: "text" | "reasoning", text: string, opensStep = true): string => {
    if (text === "") return "";
    let out = opensStep && !inStep ? step() : "";
    if (part !== kind) {
      out += close();
      part = kind;
      count += 1;
      out += dataEvent({ type: `${kind}-start`, id: `${kind}-${count}` });
    }
    return out + dataEvent({ type: `${kind}-delta`, id: `${kind}-${count}`, delta: text });
  };
  return {
    begin(opening) {
      if (begun) return "";
      begun = true;
      return dataEvent({ type: "start" }) + opening();
    },
    step,
    get inStep() {
      return inStep;
    },
    text: (text, opensStep) => delta("text", text, opensStep),
    reasoning: (text) => delta("reasoning", text),
    end: () => close() + (inStep ? dataEvent({ type: "finish-step" }) : ""),
  };
}
