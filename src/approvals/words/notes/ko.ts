import type { Words } from "../en.ts";

export const notes: Words["notes"] = {
  elsewhere: {
    denied: "다른 곳에서 거절되었으며, 아무것도 실행하지 않았습니다.",
    expired: "제때 답이 없어서 아무것도 실행하지 않았습니다.",
    refused: "Toolgate: 다른 곳에서 거절되어 실행하지 않았습니다: {tools}.",
  },
  condition: {
    asks: "⚠ 정책에 따라 이 작업은 확인이 필요합니다.",
  },
};
