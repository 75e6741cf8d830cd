/** A fitted model as the table that ships. Pure. */
import { KEY_BYTES, keyOf, type LinearModelData } from "../../intent/wish/linear-model.ts";
import type { Fitted } from "./fit-linear.ts";

/** The largest weight that a signed byte holds. */
const most = 127;

export function pack({ weights, bias }: Fitted, labels: readonly string[]): LinearModelData {
  const largest = [...weights.values()].reduce((max, row) => Math.max(max, ...row.map(Math.abs)), 0);
  const scale = largest / most;
  const rows = [...weights].sort(([one], [other]) => one - other);
  const width = KEY_BYTES + labels.length;
  const bytes = Buffer.alloc(rows.length * width);
  rows.forEach(([hash, row], index) => {
    bytes.writeUIntLE(keyOf(hash), index * width, KEY_BYTES);
    row.forEach((weight, label) => {
      bytes.writeInt8(Math.round(weight / scale), index * width + KEY_BYTES + label);
    });
  });
  return {
    labels,
    bias: [...bias].map((value) => Number(value.toFixed(4))),
    scale: Number(scale.toPrecision(6)),
    table: bytes.toString("base64"),
  };
}
