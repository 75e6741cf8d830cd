/** Words of the page of health and settings. */
import { textsIn } from "../texts/texts.ts";

export const texts = textsIn({
  en: {
    title: "Settings",
    gateway: "Gateway",
    ok: "in order",
    degraded: "degraded: it serves, but not as it should",
    trail: "Audit trail",
    trailStates: {
      ok: "delivered",
      failing: "late: it waits with the users until the database takes it",
      full: "not delivered: the database is full",
    },
    policy: "Policy in force",
    models: "Models",
    more: (count: number) => `and ${count} more`,
    how: "Settings of the gateway itself are variables of its deployment: docs/settings.md.",
  },
  zh: {
    title: "设置",
    gateway: "网关",
    ok: "正常",
    degraded: "降级：仍在服务，但不完全正常",
    trail: "审计记录",
    trailStates: { ok: "已送达", failing: "延迟：暂存于用户对象，等数据库接收", full: "未送达：数据库已满" },
    policy: "生效的策略",
    models: "模型",
    more: (count: number) => `另有 ${count} 个`,
    how: "网关自身的设置是部署的变量：docs/settings.md。",
  },
  ja: {
    title: "設定",
    gateway: "ゲートウェイ",
    ok: "正常",
    degraded: "縮退：動いているが万全ではない",
    trail: "監査記録",
    trailStates: {
      ok: "配送済み",
      failing: "遅延：データベースが受け取るまで利用者側に保管",
      full: "未配送：データベースが満杯",
    },
    policy: "有効なポリシー",
    models: "モデル",
    more: (count: number) => `ほか ${count}`,
    how: "ゲートウェイ自体の設定はデプロイの変数です：docs/settings.md。",
  },
});
