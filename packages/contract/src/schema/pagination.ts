import { z } from 'zod'

/** How many items a page of a list has, unless a request says otherwise. */
export const DEFAULT_PER_PAGE = 100

const Whole = z.int({ error: ({ code }) => (code === 'invalid_type' ? 'should be a whole number' : undefined) })

/** Which page of a list, in which order. */
export const Pagination = z.object({
  page: inDigits(Whole.min(1)).optional().meta({ description: 'From 1. Default: 1.' }),
  perPage: inDigits(Whole.min(1).max(1000))
    .optional()
    .meta({ description: `Default: ${DEFAULT_PER_PAGE}.` }),
  sortBy: z
    .enum(['createdAt', 'updatedAt', 'name', 'key', 'createdBy', 'propertyKey'])
    .optional()
    .meta({ description: 'Default: createdAt.' }),
  sortOrder: z.enum(['asc', 'desc']).optional().meta({ description: 'Default: desc.' }),
  search: z
    .string()
    .min(3)
    .optional()
    .meta({ description: 'Keeps what has this text in its name or key, in either case.' }),
  createdBy: z.string().optional().meta({ description: 'Keeps what this user created.' })
})
export type Pagination = z.infer<typeof Pagination>

/** A number as queries have it: digits, with a sign or without, and nothing else. */
function inDigits<Range extends z.ZodType<number>>(range: Range) {
  return z.preprocess((text) => (typeof text === 'string' && /^-?\d+$/.test(text) ? Number(text) : text), range)
}
