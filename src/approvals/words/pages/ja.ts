import type { Words } from "../en.ts";

export const page: Words["page"] = {
  title: "回答待ちの操作があります",
  answersAs: "{who} として回答します",
  arguments: "使用する値",
  noArguments: "値はありません。",
  read: "{names} の内容をすべて確認しました。",
  enable: {
    session: "この会話で {tool} を有効にする",
    lasting: "取り消すまで、今後も {tool} を有効にする",
  },
  endorse: "このタスクでは {tool} のこの結果にあるほかの宛先・名前・数値も確認なしで使う",
  join: "、",
  changes: "変更内容",
  added: "追加",
  removed: "削除",
  asked: "質問日時",
  until: "回答期限",
  left: "残り {time}",
  learnMore: "詳細",
  reason: "拒否する理由（任意）",
  approve: "承認",
  deny: "拒否",
  decided: {
    approved: { heading: "承認済み", text: "この操作を一度だけ実行できます。" },
    denied: { heading: "拒否済み", text: "操作は実行されません。アシスタントに伝えられます。" },
    expired: {
      heading: "期限切れ",
      text: "期限までに回答がなかったため、操作は実行されません。何も変更されていません。",
    },
    cancelled: { heading: "取り消し済み", text: "会話が先に進んだため、この操作は実行されません。" },
  },
  plan: {
    goesOn: "計画が続行すると実行されます。",
    cancelled: "計画が取り消されたため、この操作は実行されません。",
  },
  goesOn: {
    inline: "チャットに戻って「続けて」と入力すると実行されます。",
    hold: "チャットは自動的に続きます。",
    native: "アプリが続行すると実行されます。",
  },
  answeredAt: "回答日時",
  reasonGiven: "理由",
  refusals: {
    link_invalid: {
      heading: "このリンクは無効です",
      text: "変更されたか、途中で切れているか、署名に使われたキーが無効になっています。何も変更されていません。",
    },
    link_expired: {
      heading: "このリンクは期限切れです",
      text: "回答の期限が過ぎています。今回は何も変更されていません。",
    },
    form_invalid: {
      heading: "回答を読み取れませんでした",
      text: "リンクを開き直し、「承認」か「拒否」を選んでください。何も変更されていません。",
    },
    form_elsewhere: {
      heading: "別のページからの回答です",
      text: "回答できるのはリンクのページ自身だけです。何も変更されていません。",
    },
    unavailable: {
      heading: "現在アクセスできません",
      text: "しばらくしてからリンクを開き直し、回答されたか確認してください。",
    },
  },
};
