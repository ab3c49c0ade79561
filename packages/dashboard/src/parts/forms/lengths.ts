/** The most characters of the reason for a change: the API refuses longer ones. */
export const MAX_REASON_LENGTH = 1000
