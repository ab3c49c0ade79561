import type { Json, VariableType } from '@burgee/core'

/** The default value of each variable type. */
export const zeroValues: Readonly<Record<VariableType, Json>> = { String: '', Boolean: false, Number: 0, JSON: {} }
