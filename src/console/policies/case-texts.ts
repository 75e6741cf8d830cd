/** Texts of the cases on the policy page. */
import { textsIn } from "../texts/texts.ts";

export const texts = textsIn({
  en: {
    lead: "Cases of `policy test`, each judged by a simulated turn under the draft.",
    file: "A file of cases",
    kept: (count: number) => `Run the ${count === 1 ? "case" : `${count} cases`} kept from the playground`,
    forget: "Forget them",
    noCases: "This is no file of cases.",
    running: (done: number, all: number) => `${done} of ${all} …`,
    result: (passed: number, failed: number, left: number) =>
      `${passed} passed, ${failed} failed${left > 0 ? `, ${left} left to \`policy test\` (several turns, answers or other hosts)` : ""}.`,
    expected: "expected",
    found: "found",
    passed: "passed",
    failed: "failed",
    left: "not judged here",
  },
  zh: {
    lead: "`policy test` 的用例，每个都在草稿下用一轮模拟来判断。",
    file: "用例文件",
    kept: (count: number) => `运行从试用页保留的 ${count} 个用例`,
    forget: "清除",
    noCases: "这不是用例文件。",
    running: (done: number, all: number) => `${done} / ${all}……`,
    result: (passed: number, failed: number, left: number) =>
      `${passed} 个通过，${failed} 个失败${left > 0 ? `，${left} 个留给 \`policy test\`（多轮、答复或其他主机）` : ""}。`,
    expected: "期望",
    found: "实际",
    passed: "通过",
    failed: "失败",
    left: "此处不判断",
  },
  ja: {
    lead: "`policy test` のケースを、下書きのもとで一ターンのシミュレーションとして判定します。",
    file: "ケースのファイル",
    kept: (count: number) => `プレイグラウンドで残した ${count} 件を実行`,
    forget: "消す",
    noCases: "ケースのファイルではありません。",
    running: (done: number, all: number) => `${done} / ${all}…`,
    result: (passed: number, failed: number, left: number) =>
      `合格 ${passed} 件、不合格 ${failed} 件${left > 0 ? `、\`policy test\` に任せるもの ${left} 件（複数のターン、回答、ほかのホスト）` : ""}。`,
    expected: "期待",
    found: "実際",
    passed: "合格",
    failed: "不合格",
    left: "ここでは判定しない",
  },
});
