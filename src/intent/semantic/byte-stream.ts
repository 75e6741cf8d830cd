/** Little-endian numbers, strings and arrays, written one after the other, and read back within bounds. Pure. */

export interface ByteWriter {
  u32(value: number): void;
  f32(value: number): void;
  text(value: string): void;
  /** At an offset that is a multiple of its element size. */
  array(value: Int8Array | Uint8Array | Uint16Array | Uint32Array | Float32Array): void;
  done(): Uint8Array<ArrayBuffer>;
}

export function createWriter(): ByteWriter {
  let bytes = new Uint8Array(1 << 16);
  let view = new DataView(bytes.buffer);
  let at = 0;
  const room = (more: number) => {
    if (at + more <= bytes.length) return;
    const wider = new Uint8Array(Math.max(bytes.length * 2, at + more));
    wider.set(bytes);
    bytes = wider;
    view = new DataView(bytes.buffer);
  };
  const raw = (value: Uint8Array) => {
    room(value.length + 4);
    bytes.set(value, at);
    at += value.length;
    while (at % 4 !== 0) at++;
  };
  const u32 = (value: number) => {
    room(4);
    view.setUint32(at, value, true);
    at += 4;
  };
  const f32 = (value: number) => {
    room(4);
    view.setFloat32(at, value, true);
    at += 4;
  };
  const text = (value: string) => {
    const encoded = new TextEncoder().encode(value);
    u32(encoded.length);
    raw(encoded);
  };
  return {
    u32,
    f32,
    text,
    array: (value) => raw(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)),
    done: () => bytes.slice(0, at),
  };
}

/** Thrown by a reader where the bytes end too early or hold no number; caught where a whole is read. */
export class BytesDamaged extends Error {}

export interface ByteReader {
  u32(): number;
  f32(): number;
  text(): string;
  i8(count: number): Int8Array;
  u16(count: number): Uint16Array;
  u32s(count: number): Uint32Array;
  readonly left: number;
}

/** @param buffer is read from its start. */
export function createReader(buffer: ArrayBuffer): ByteReader {
  const view = new DataView(buffer);
  let at = 0;
  const take = (length: number): number => {
    const from = at;
    const padded = Math.ceil(length / 4) * 4;
    if (!(length >= 0) || from + padded > buffer.byteLength) throw new BytesDamaged();
    at += padded;
    return from;
  };
  return {
    u32: () => view.getUint32(take(4), true),
    f32: () => {
      const value = view.getFloat32(take(4), true);
      if (!Number.isFinite(value)) throw new BytesDamaged();
      return value;
    },
    text: () => {
      const length = view.getUint32(take(4), true);
      return new TextDecoder().decode(new Uint8Array(buffer, take(length), length));
    },
    i8: (count) => new Int8Array(buffer, take(count), count),
    u16: (count) => new Uint16Array(buffer, take(2 * count), count),
    u32s: (count) => new Uint32Array(buffer, take(4 * count), count),
    get left() {
      return buffer.byteLength - at;
    },
  };
}
