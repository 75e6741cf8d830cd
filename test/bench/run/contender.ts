/** What takes part in the bench: a gateway that runs, with what a request to it needs. */
import type { Target } from "./exchange.ts";

export type ContenderName = "bare" | "loop" | "counting" | "streamText" | "portkey" | "toolgate";

export interface Contender extends Target {
  readonly name: ContenderName;
  /** The serving process; undefined where it cannot be told. */
  readonly pid: number | undefined;
  readonly stop: () => Promise<void>;
}

export const labels: Readonly<Record<ContenderName, string>> = {
  bare: "bare fetch",
  loop: "loop by hand",
  counting: "counting only",
  streamText: "streamText",
  portkey: "Portkey",
  toolgate: "Toolgate",
};
