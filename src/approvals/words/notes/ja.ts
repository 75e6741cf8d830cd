import type { Words } from "../en.ts";

export const notes: Words["notes"] = {
  prefix: "Toolgate：{text}",
  elsewhere: {
    denied: "ほかの場所で拒否されました。何も実行していません。",
    expired: "期限までに回答がありませんでした。何も実行していません。",
    refused: "Toolgate：ほかの場所で拒否されたため、実行しませんでした：{actions}。",
  },
  condition: {
    asks: "⚠ この操作は、ポリシーにより確認が必要です。",
    refuses: "この内容の {tool} はポリシーで許可されていません：{words}",
    refusesAlone: "この内容の {tool} はポリシーで許可されていません。",
  },
  undo: {
    title: "{tool}{values} を元に戻しますか？",
    uses: "そのために {tool} を使います。",
    nothing: "元に戻せるものはありません。",
    questionFirst: "まだ何も元に戻していません。先に質問に答え、もう一度 `/toolgate undo` と書いてください。",
    not: "{tool} は元に戻していません：{why}",
    cannot: "{tool} は元に戻せません：{why}",
    pending: "結果がまだ届いていません。",
    failed: "失敗したため、元に戻すものはありません。",
    abandoned: "結果が届かなかったため、実行されたかどうかわかりません。",
    unknown: "必要な情報がありません。",
  },
  limit: {
    own: "{tool} は上限（{window}に {max} 回）に達し、残りは実行していません。{time}後にまた使えます。",
    shared:
      "{tool} は {group} のほかのツールと合わせて上限（{window}に {max} 回）に達し、残りは実行していません。{time}後にまた使えます。",
  },
  atMost: {
    turn: "{tool} は 1 回の返信で {max} 回までです。残りは実行していません。",
    task: "{tool} は 1 つのメッセージにつき {max} 回までです。残りは実行していません。",
    session: "{tool} は 1 つの会話で {max} 回までです。残りは実行していません。",
  },
  lack: {
    role: "役割 {role} では {tool} を使えません（{roles} のみ）。",
    signIn: "{tool} を使うにはサインインが必要です。",
    connection: "{tool} を使うには、先に {connection} を連携してください。",
    mode: "モード {mode} では {tool} を使えません。",
    intent:
      "メッセージが {intents} と解釈されたため、今は {tool} を使えません。してほしいことを別の言い方で書いてください。",
    after: "{tool} は、この会話で {tools} が成功したあとに使えます。",
    neverAfter: "この会話には {tools} の結果があるため、{tool} はもう使えません。新しい会話で始めてください。",
  },
  refused: "{tool} はここでは許可されていません。",
  answers: {
    asked: "{tool} には先に回答が必要です。",
    denied: "{tool} は拒否されました。",
    expired: "{tool} には期限までに回答がありませんでした。",
    undone: "{tool} はすでに元に戻しています。",
  },
  stopped: {
    unasked:
      "Toolgate：アシスタントが求められていない操作を繰り返したため止めました。してほしいことを新しいメッセージで書いてください。",
    forbidden: "Toolgate：アシスタントが今は許可されていない操作を繰り返したため止めました。",
    steps:
      "Toolgate：1 回のやり取りでのモデル呼び出しの上限（{max} 回）に達したため止めました。続けるには、もう一度書いてください。",
  },
  unmet: {
    preflight:
      "Toolgate：開始しませんでした。{intent} には {families} のツールが必要ですが、ここでは使えません。\n使えるツールを用意してもう一度試すか、それなしでできることを頼んでください。",
    completion:
      "Toolgate：タスクは失敗として終了しました。{intent} には {families} のツールの成功が必要ですが、成功したものはありません。\nそれなしで述べられた内容は当てにしないでください。もう一度試すか、それなしでできることを頼んでください。",
  },
};
