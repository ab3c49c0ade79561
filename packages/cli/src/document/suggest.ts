/** Returns a command for a person to type: `burgee`, the words, and the flags with which it acts on the same project. */
export type Suggest = (words: string) => string

/** Suggests a command where nothing was given. */
export const suggestPlain: Suggest = (words) => `burgee ${words}`
