import type { Words } from "../en.ts";

export const notes: Words["notes"] = {
  elsewhere: {
    denied: "ほかの場所で拒否されました。何も実行していません。",
    expired: "期限までに回答がありませんでした。何も実行していません。",
    refused: "Toolgate：ほかの場所で拒否されたため、実行しませんでした：{tools}。",
  },
  condition: {
    asks: "⚠ この操作は、ポリシーにより確認が必要です。",
  },
};
