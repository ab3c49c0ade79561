import type { Json, VariableType } from '@burgee/core'

/** The value of a variable of each type when nothing sets one. */
export const zeroValues: Readonly<Record<VariableType, Json>> = { String: '', Boolean: false, Number: 0, JSON: {} }
