/** Word vectors → the asset's bytes, as `src/intent/semantic/vectors.ts` reads them. Pure. */
import { vectorsMagic, vectorsVersion } from "../../intent/semantic/vectors.ts";

/** The sixteen levels with the least error for a normal distribution (Lloyd and Max). */
const half = [0.1284, 0.3881, 0.6568, 0.9424, 1.2562, 1.618, 2.069, 2.7326];
const levels = Float32Array.from([...half.map((level) => -level).reverse(), ...half]);

/** @param matrix one row per hash. If several rows have the same hash, the first is kept. */
export function packVectors(
  hashes: readonly number[],
  matrix: Float32Array,
  dimensions: number,
): Uint8Array<ArrayBuffer> {
  const row = (i: number) => matrix.subarray(i * dimensions, (i + 1) * dimensions);
  const byHash = new Map<number, number>();
  hashes.forEach((hash, i) => {
    if (!byHash.has(hash)) byHash.set(hash, i);
  });
  const order = [...byHash].sort(([a], [b]) => a - b);
  const reach = reachOf(matrix, dimensions);
  const head = 16 + 4 * (levels.length + dimensions);
  const bytes = new Uint8Array(head + 8 * order.length + (order.length * dimensions) / 2);
  const view = new DataView(bytes.buffer);
  [vectorsMagic, vectorsVersion, dimensions, order.length].forEach((value, i) => {
    view.setUint32(4 * i, value, true);
  });
  [...levels, ...reach].forEach((value, i) => {
    view.setFloat32(16 + 4 * i, value, true);
  });
  order.forEach(([hash, word], i) => {
    const { length, codes } = codesOf(row(word), reach);
    view.setUint32(head + 4 * i, hash, true);
    view.setFloat32(head + 4 * (order.length + i), length, true);
    const at = head + 8 * order.length + (i * dimensions) / 2;
    for (let j = 0; j < dimensions; j += 2) bytes[at + j / 2] = (codes[j] ?? 0) | ((codes[j + 1] ?? 0) << 4);
  });
  return bytes;
}

/** The spread of each dimension over all words, after each word is scaled to length 1. */
function reachOf(matrix: Float32Array, dimensions: number): Float32Array {
  const squares = new Float64Array(dimensions);
  const rows = matrix.length / dimensions;
  for (let i = 0; i < rows; i++) {
    const row = matrix.subarray(i * dimensions, (i + 1) * dimensions);
    const length = row.reduce((sum, value) => sum + value * value, 1e-12);
    row.forEach((value, j) => {
      squares[j] = (squares[j] ?? 0) + (value * value) / length;
    });
  }
  return Float32Array.from(squares, (square) => Math.sqrt(square / rows));
}

/** The nearest levels, and the scale that brings their row nearest to the exact one. */
function codesOf(row: Float32Array, reach: Float32Array): { length: number; codes: Uint8Array } {
  const scaled = row.map((value, j) => value / (reach[j] ?? 1));
  const spread = Math.sqrt(scaled.reduce((sum, value) => sum + value * value, 1e-12) / row.length);
  const codes = Uint8Array.from(scaled, (value) => nearest(value / spread));
  let [dot, square] = [0, 1e-12];
  scaled.forEach((value, j) => {
    const level = levels[codes[j] ?? 0] ?? 0;
    dot += value * level;
    square += level * level;
  });
  // Rounded to seven bits of fraction, because noise in the low bits does not compress.
  const length = dot / square;
  const bits = new Uint32Array(Float32Array.of(length).buffer);
  bits[0] = ((bits[0] ?? 0) + 0x0000_8000) & 0xffff_0000;
  return { length: new Float32Array(bits.buffer)[0] ?? 0, codes };
}

function nearest(value: number): number {
  let code = 0;
  while (code < 15 && value > ((levels[code] ?? 0) + (levels[code + 1] ?? 0)) / 2) code++;
  return code;
}
