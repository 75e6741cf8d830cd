import type { Words } from "../en.ts";

export const notes: Words["notes"] = {
  elsewhere: {
    denied: "它已在别处被拒绝，没有执行任何操作。",
    expired: "没有及时收到答复，没有执行任何操作。",
    refused: "Toolgate：已在别处被拒绝，没有执行：{tools}。",
  },
  condition: {
    asks: "⚠ 按照策略，此操作需要确认。",
  },
};
