/** A text: matched, and this is what decided. `undefined`: not matched. `ENDLESS`: undecidable, because audiences refer to each other in a circle. */
export type Verdict = string | undefined | typeof ENDLESS

/** The verdict on filters that never come to an end. */
export const ENDLESS = Symbol('endless')
