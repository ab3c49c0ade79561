import type { Json, VariableType } from '@burgee/core'

/** What a variable is worth where nothing says otherwise. */
export const zeroValues: Readonly<Record<VariableType, Json>> = { String: '', Boolean: false, Number: 0, JSON: {} }
