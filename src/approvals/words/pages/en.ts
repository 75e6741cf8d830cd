/** The pages of a signed link, in English. The title holds nothing of the call: previews of links show it. */
export const page = {
  title: "A call waits for an answer",
  answersAs: "You answer as {user} ({tenant})",
  arguments: "With these values",
  noArguments: "It takes no values.",
  read: "I have read the whole value of “{names}”.",
  enable: {
    session: "Also enable {tool} for this session",
    lasting: "Also enable {tool} from now on, until I withdraw it",
  },
  endorse: "Also use other values of this result of {tool} for the rest of this task, without asking",
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
    approved: { heading: "Approved", text: "This one call may run, once." },
    denied: { heading: "Denied", text: "The call does not run. The assistant is told." },
    expired: { heading: "Expired", text: "Nobody answered in time, so the call does not run. Nothing was changed." },
    cancelled: { heading: "Cancelled", text: "The conversation went on without this call. It does not run." },
  },
  plan: {
    goesOn: "It runs when the plan goes on.",
    cancelled: "Its plan was cancelled. It does not run.",
  },
  goesOn: {
    inline: "Go back to the chat and write “continue” there: then it runs.",
    hold: "The chat goes on by itself.",
    native: "It runs when the app goes on.",
  },
  answeredAt: "Answered",
  reasonGiven: "Reason",
  refusals: {
    link_invalid: {
      heading: "This link is not valid",
      text: "It was changed, cut off, or is of a key that is no longer used. Nothing was changed.",
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
