import type { Words } from "../en.ts";

export const notes: Words["notes"] = {
  prefix: "Toolgate：{text}",
  elsewhere: {
    denied: "它已在别处被拒绝，没有执行任何操作。",
    expired: "没有及时收到答复，没有执行任何操作。",
    refused: "Toolgate：已在别处被拒绝，没有执行：{actions}。",
  },
  condition: {
    asks: "⚠ 按照策略，此操作需要确认。",
    refuses: "策略不允许以这些值使用 {tool}：{words}",
    refusesAlone: "策略不允许以这些值使用 {tool}。",
  },
  undo: {
    title: "撤销 {tool}{values}？",
    uses: "将使用 {tool}。",
    nothing: "没有可以撤销的操作。",
    questionFirst: "尚未撤销。请先回答未决的问题，再写一次 `/toolgate undo`。",
    not: "{tool} 未撤销：{why}",
    cannot: "{tool} 不能撤销：{why}",
    pending: "它的结果还没有返回。",
    failed: "它失败了，没有可撤销的内容。",
    abandoned: "它的结果一直没有返回，不知道是否执行过。",
    unknown: "缺少所需的信息。",
  },
  limit: {
    own: "{tool} 已达到上限（{window}内 {max} 次），其余的没有执行。{time}后可再次使用。",
    shared: "{tool} 与 {group} 的其他工具合计已达到上限（{window}内 {max} 次），其余的没有执行。{time}后可再次使用。",
  },
  atMost: {
    turn: "{tool} 在一次回复中最多使用 {max} 次，其余的没有执行。",
    task: "{tool} 对一条消息最多使用 {max} 次，其余的没有执行。",
    session: "{tool} 在一次对话中最多使用 {max} 次，其余的没有执行。",
  },
  lack: {
    role: "角色 {role} 不能使用 {tool}，只有 {roles} 可以。",
    signIn: "使用 {tool} 需要先登录。",
    connection: "使用 {tool} 需要先关联 {connection}。",
    mode: "模式 {mode} 不允许使用 {tool}。",
    intent: "消息被理解为 {intents}，因此暂时不能使用 {tool}。请换一种说法说明要做什么。",
    after: "{tool} 只有在本次对话中 {tools} 成功之后才能使用。",
    neverAfter: "本次对话中有 {tools} 的结果，不能再使用 {tool}；请为此开始新的对话。",
  },
  refused: "这里不允许使用 {tool}。",
  answers: {
    asked: "{tool} 需要先得到答复。",
    denied: "{tool} 已被拒绝。",
    expired: "没有及时收到对 {tool} 的答复。",
    undone: "{tool} 已经撤销。",
  },
  stopped: {
    unasked: "Toolgate：助手一再尝试您没有要求的操作，已停止。请在新消息中说明要做什么。",
    forbidden: "Toolgate：助手一再尝试目前不允许的操作，已停止。",
    steps: "Toolgate：已达到一轮中模型调用的上限（{max} 次），已停止。要继续，请再写一条消息。",
  },
  unmet: {
    preflight:
      "Toolgate：没有开始。{intent} 需要 {families} 中的工具，而这里没有可用的。\n请提供这样的工具后再试，或要求不需要它也能做的事。",
    completion:
      "Toolgate：任务已按失败结束。{intent} 要求 {families} 中的工具成功，而没有一个成功。\n不要依赖没有它而得出的内容。请再试一次，或要求不需要它也能做的事。",
  },
};
