/** The pages of a signed link, in English. The title holds nothing of the call: previews of links show it. */
export const page = {
  title: "An action waits for an answer",
  answersAs: "You answer as {who}",
  arguments: "With these values",
  noArguments: "No values.",
  read: "I have read the whole value of “{names}”.",
  enable: {
    session: "Also enable {tool} for this conversation",
    lasting: "Also enable {tool} from now on, until I withdraw it",
  },
  endorse:
    "Also accept other addresses, names and numbers from this result of {tool} for this task, without asking again",
  join: ", ",
  changes: "What changes",
  added: "added",
  removed: "removed",
  asked: "Asked",
  until: "Can be answered until",
  left: "{time} left",
  learnMore: "Learn more",
  reason: "Reason, if you deny (optional)",
  approve: "Approve",
  deny: "Deny",
  decided: {
    approved: { heading: "Approved", text: "This one action may be done, once." },
    denied: { heading: "Denied", text: "The action is not done. The assistant is told." },
    expired: { heading: "Expired", text: "Nobody answered in time, so the action is not done. Nothing was changed." },
    cancelled: { heading: "Cancelled", text: "The conversation went on without this action. It is not done." },
  },
  plan: {
    goesOn: "It is done when the plan goes on.",
    cancelled: "Its plan was cancelled. It is not done.",
  },
  goesOn: {
    inline: "Go back to the chat and write “continue” there: then it is done.",
    hold: "The chat goes on by itself.",
    native: "It is done when the app goes on.",
  },
  answeredAt: "Answered",
  reasonGiven: "Reason",
  refusals: {
    link_invalid: {
      heading: "This link is not valid",
      text: "It was altered or cut off, or the key that signed it is no longer in use. Nothing was changed.",
    },
    link_expired: {
      heading: "This link has expired",
      text: "The time to answer with it is over. Nothing was changed just now.",
    },
    form_invalid: {
      heading: "That answer could not be read",
      text: "Open the link again, and choose Approve or Deny. Nothing was changed.",
    },
    form_elsewhere: {
      heading: "That answer came from another page",
      text: "Only the page of the link itself may answer. Nothing was changed.",
    },
    unavailable: {
      heading: "This cannot be reached just now",
      text: "Open the link again in a moment, to see whether it was answered.",
    },
  },
};
