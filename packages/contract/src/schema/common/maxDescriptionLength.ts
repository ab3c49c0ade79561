/** The maximum length of the description of a resource, and of the reason for a change. */
export const MAX_DESCRIPTION_LENGTH = 1000
