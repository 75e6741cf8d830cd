/** The verdict's arithmetic: what a soak of ten minutes would say of figures that are made up. */
import { describe, expect, it } from "vitest";
import { heapTrend, latencyTrends, type SoakSample } from "./soak-verdict.ts";

interface MadeUp {
  /** In bytes, by the number of answers so far and that of the sample. */
  readonly heap?: (answers: number, i: number) => number;
  readonly token?: (at: number) => number;
  readonly samples?: number;
}

const MIB = 2 ** 20;
/** Of a megabyte: neighbours are alike, as where a cache fills and is emptied. */
const wave = (i: number) => (Math.sin(i / 2) + Math.sin(i * 2.7)) * (MIB / 2);

function soaked({ heap = () => 12 * MIB, token = () => 4, samples = 120 }: MadeUp): SoakSample[] {
  return Array.from({ length: samples }, (_, i): SoakSample => {
    const at = (i + 1) * 5;
    const heapBytes = heap((i + 1) * 100, i);
    const times = { tokenP50: token(at), tokenP99: 20, totalP50: 250, totalP99: 300 };
    return { at, answers: 100, failures: 0, heapBytes, rssMiB: 300, cpuShare: 0.1, ...times };
  });
}

const leaking =
  (bytes: number): MadeUp["heap"] =>
  (answers, i) =>
    12 * MIB + wave(i) + answers * bytes;

describe("the live heap", () => {
  it("is flat where it only goes up and down", () => {
    expect(heapTrend(soaked({ heap: leaking(0) }))).toMatchObject({ verdict: "flat" });
    expect(heapTrend(soaked({}))).toMatchObject({ slope: 0, margin: 0, verdict: "flat" });
  });

  it("is flat where caches fill in the first minutes, or where it shrinks", () => {
    expect(heapTrend(soaked({ heap: (answers) => Math.min(answers * 4000, 8 * MIB) })).verdict).toBe("flat");
    expect(heapTrend(soaked({ heap: leaking(-1000) })).verdict).toBe("flat");
  });

  it.each([1000, 200])("grows where each answer leaves %d bytes", (bytes) => {
    const { slope, margin, verdict } = heapTrend(soaked({ heap: leaking(bytes) }));
    expect(verdict).toBe("grows");
    expect(Math.abs(slope - bytes)).toBeLessThan(margin);
  });

  it("is not called flat by too few samples, nor by noise that would hide a leak", () => {
    expect(heapTrend(soaked({ samples: 4 })).verdict).toBe("unclear");
    expect(heapTrend(soaked({ heap: (_, i) => 12 * MIB + 20 * wave(i) })).verdict).toBe("unclear");
  });
});

describe("latency", () => {
  const firstToken = (token: MadeUp["token"]) => latencyTrends(soaked({ token }))[0]?.flat;

  it("is flat in spite of a slow beginning and odd samples", () =>
    expect(firstToken((at) => (at < 50 || at === 150 ? 90 : 4))).toBe(true));

  it("is not where it creeps up", () => expect(firstToken((at) => 4 + at / 100)).toBe(false));
});
