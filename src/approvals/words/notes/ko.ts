import type { Words } from "../en.ts";

export const notes: Words["notes"] = {
  prefix: "Toolgate: {text}",
  elsewhere: {
    denied: "다른 곳에서 거절되었으며, 아무것도 실행하지 않았습니다.",
    expired: "제때 답이 없어서 아무것도 실행하지 않았습니다.",
    refused: "Toolgate: 다른 곳에서 거절되어 실행하지 않았습니다: {actions}.",
  },
  condition: {
    asks: "⚠ 정책에 따라 이 작업은 확인이 필요합니다.",
    refuses: "이 값으로는 정책이 {tool} 도구를 허용하지 않습니다: {words}",
    refusesAlone: "이 값으로는 정책이 {tool} 도구를 허용하지 않습니다.",
  },
  undo: {
    title: "{tool}{values} 되돌릴까요?",
    uses: "{tool} 도구를 사용합니다.",
    nothing: "되돌릴 것이 없습니다.",
    questionFirst: "아직 되돌린 것이 없습니다. 먼저 열린 질문에 답하고 `/toolgate undo`를 다시 써 주세요.",
    not: "{tool} 작업을 되돌리지 않았습니다: {why}",
    cannot: "{tool} 작업은 되돌릴 수 없습니다: {why}",
    pending: "결과가 아직 오지 않았습니다.",
    failed: "실패했으므로 되돌릴 것이 없습니다.",
    abandoned: "결과가 오지 않아 실행되었는지 알 수 없습니다.",
    unknown: "필요한 정보를 알 수 없습니다.",
  },
  limit: {
    own: "{tool} 사용 한도({window}에 {max}회)에 도달해 나머지는 실행하지 않았습니다. {time} 후에 다시 사용할 수 있습니다.",
    shared:
      "{group}의 다른 도구와 합쳐 {tool} 사용 한도({window}에 {max}회)에 도달해 나머지는 실행하지 않았습니다. {time} 후에 다시 사용할 수 있습니다.",
  },
  atMost: {
    turn: "{tool} 도구는 한 번의 답변에서 {max}회까지입니다. 나머지는 실행하지 않았습니다.",
    task: "{tool} 도구는 메시지 하나에 {max}회까지입니다. 나머지는 실행하지 않았습니다.",
    session: "{tool} 도구는 한 대화에서 {max}회까지입니다. 나머지는 실행하지 않았습니다.",
  },
  lack: {
    role: "{role} 역할은 {tool} 도구를 사용할 수 없습니다({roles}만 가능).",
    signIn: "{tool} 도구를 사용하려면 로그인해야 합니다.",
    connection: "{tool} 도구를 사용하려면 먼저 {connection} 계정을 연결해 주세요.",
    mode: "{mode} 모드에서는 {tool} 도구를 사용할 수 없습니다.",
    intent:
      "메시지를 {intents} 의도로 이해했기 때문에 지금은 {tool} 도구를 쓸 수 없습니다. 원하는 일을 다른 말로 써 주세요.",
    after: "{tool} 도구는 이 대화에서 {tools} 작업이 성공한 뒤에 사용할 수 있습니다.",
    neverAfter: "이 대화에는 {tools} 결과가 있어 {tool} 도구를 더 사용할 수 없습니다. 새 대화를 시작해 주세요.",
  },
  refused: "{tool} 도구는 여기에서 허용되지 않습니다.",
  answers: {
    asked: "{tool} 작업은 먼저 답이 필요합니다.",
    denied: "{tool} 작업이 거절되었습니다.",
    expired: "{tool} 작업에 제때 답이 없었습니다.",
    undone: "{tool} 작업은 이미 되돌렸습니다.",
  },
  stopped: {
    unasked: "Toolgate: 어시스턴트가 요청하지 않은 작업을 되풀이해 멈췄습니다. 원하는 일을 새 메시지로 써 주세요.",
    forbidden: "Toolgate: 어시스턴트가 지금 허용되지 않은 작업을 되풀이해 멈췄습니다.",
    steps: "Toolgate: 한 차례의 모델 호출 한도({max}회)에 도달해 멈췄습니다. 계속하려면 다시 써 주세요.",
  },
  unmet: {
    preflight:
      "Toolgate: 시작하지 않았습니다. {intent}에는 {families} 도구가 필요한데 여기서는 사용할 수 없습니다.\n그런 도구와 함께 다시 시도하거나, 없이도 할 수 있는 일을 요청해 주세요.",
    completion:
      "Toolgate: 작업을 실패로 끝냈습니다. {intent}에는 {families} 도구의 성공이 필요한데 성공한 것이 없습니다.\n그것 없이 나온 말은 믿지 마세요. 다시 시도하거나, 없이도 할 수 있는 일을 요청해 주세요.",
  },
};
