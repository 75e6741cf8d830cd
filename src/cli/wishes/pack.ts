/** Converts a fitted model into the data that ship. Pure. */
import { LARGEST_STEP, type LinearModelData, packTable } from "../../intent/wish/linear-model.ts";
import type { Fitted } from "./fit-linear.ts";

export function pack({ weights, bias }: Fitted, labels: readonly string[]): LinearModelData {
  const rows = [...weights].sort(([one], [other]) => one - other);
  // Without a limit the few largest weights would make all steps coarse.
  const sizes = rows.flatMap(([, row]) => [...row].map(Math.abs)).sort((one, other) => one - other);
  const largest = Number((sizes[Math.floor(sizes.length * 0.998)] ?? 1).toPrecision(4));
  const stepOf = (weight: number): number =>
    Math.round((Math.max(-largest, Math.min(largest, weight)) / largest) * LARGEST_STEP);
  return {
    labels,
    bias: [...bias].map((value) => Number(value.toFixed(4))),
    largest,
    table: packTable(rows.map(([key, row]) => [key, [...row].map(stepOf)])),
    size: rows.length,
  };
}
