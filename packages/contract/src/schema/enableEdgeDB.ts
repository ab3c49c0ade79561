import { z } from 'zod'

/** Whether what is kept about the user takes part in targeting; it does only where the project allows it. */
export const EnableEdgeDB = z
  .stringbool()
  .optional()
  .meta({ description: 'true or false: whether what is kept about the user takes part in targeting.' })
