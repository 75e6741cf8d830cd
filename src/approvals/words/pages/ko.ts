import type { Words } from "../en.ts";

export const page: Words["page"] = {
  title: "작업 하나가 답을 기다립니다",
  answersAs: "답하는 사람: {who}",
  arguments: "다음 값으로",
  noArguments: "값이 없습니다.",
  read: "{names}의 내용을 모두 확인했습니다.",
  enable: {
    session: "이 대화에서 {tool} 도구도 사용하도록 설정",
    lasting: "철회할 때까지 앞으로 {tool} 도구도 사용하도록 설정",
  },
  endorse: "이 작업에서는 이 {tool} 결과의 다른 주소·이름·숫자도 묻지 않고 사용",
  join: ", ",
  changes: "바뀌는 내용",
  added: "추가됨",
  removed: "삭제됨",
  asked: "요청 시각",
  until: "답할 수 있는 기한",
  left: "{time} 남음",
  learnMore: "더 알아보기",
  reason: "거절하는 이유(선택)",
  approve: "승인",
  deny: "거절",
  decided: {
    approved: { heading: "승인됨", text: "이 작업 하나만 한 번 실행할 수 있습니다." },
    denied: { heading: "거절됨", text: "작업을 실행하지 않습니다. 어시스턴트에 알립니다." },
    expired: { heading: "만료됨", text: "제때 답이 없어 작업을 실행하지 않습니다. 바뀐 것은 없습니다." },
    cancelled: { heading: "취소됨", text: "이 작업 없이 대화가 이어졌습니다. 실행하지 않습니다." },
  },
  plan: {
    goesOn: "계획이 계속되면 실행됩니다.",
    cancelled: "계획이 취소되어 실행하지 않습니다.",
  },
  goesOn: {
    inline: "대화로 돌아가 ‘계속’이라고 쓰면 실행됩니다.",
    hold: "대화가 저절로 이어집니다.",
    native: "앱이 계속하면 실행됩니다.",
  },
  answeredAt: "답한 시각",
  reasonGiven: "이유",
  refusals: {
    link_invalid: {
      heading: "유효하지 않은 링크입니다",
      text: "링크가 바뀌었거나 잘렸거나, 더 이상 쓰지 않는 키의 링크입니다. 바뀐 것은 없습니다.",
    },
    link_expired: {
      heading: "만료된 링크입니다",
      text: "이 링크로 답할 수 있는 시간이 지났습니다. 방금 바뀐 것은 없습니다.",
    },
    form_invalid: {
      heading: "답을 읽을 수 없습니다",
      text: "링크를 다시 열고 승인 또는 거절을 골라 주세요. 바뀐 것은 없습니다.",
    },
    form_elsewhere: {
      heading: "다른 페이지에서 온 답입니다",
      text: "링크의 페이지에서만 답할 수 있습니다. 바뀐 것은 없습니다.",
    },
    unavailable: {
      heading: "지금은 연결할 수 없습니다",
      text: "잠시 후 링크를 다시 열어 답이 전해졌는지 확인해 주세요.",
    },
  },
};
