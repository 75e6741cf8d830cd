/** `toolgate/react`: the questions of a gateway in a page with the AI SDK's `useChat`. */
export {
  type ApprovalAnswer,
  type ApprovalArgument,
  type ApprovalGrant,
  type ApprovalRequest,
  approvalOf,
} from "./approval-request.ts";
export type { ToolApprovalLabels } from "./labels.ts";
export { ToolApproval, type ToolApprovalProps } from "./tool-approval.tsx";
export { type ApprovalChat, type ToolApprovals, useToolApproval } from "./use-tool-approval.ts";
