import { z } from 'zod'

/** The default number of items on a page. */
export const DEFAULT_PER_PAGE = 100

const WholeNumber = z.int({ error: ({ code }) => (code === 'invalid_type' ? 'should be a whole number' : undefined) })

/** Page, order and filters of a list (docs/reference/management.md#pagination). */
export const Pagination = z.object({
  page: numericParameter(WholeNumber.min(1)).optional().meta({ description: 'Default: 1.' }),
  perPage: numericParameter(WholeNumber.min(1).max(1000))
    .optional()
    .meta({ description: `Default: ${DEFAULT_PER_PAGE}.` }),
  sortBy: z
    .enum(['createdAt', 'updatedAt', 'name', 'key', 'createdBy', 'propertyKey'])
    .optional()
    .meta({ description: 'The member to sort by. Default: createdAt.' }),
  sortOrder: z.enum(['asc', 'desc']).optional().meta({ description: 'Ascending or descending. Default: desc.' }),
  search: z
    .string()
    .min(3)
    .optional()
    .meta({ description: 'Items with this string in their name or key, case-insensitive.' }),
  createdBy: z.string().optional().meta({ description: 'Items that this user created.' })
})
export type Pagination = z.infer<typeof Pagination>

/** Accepts a number in a query: digits with an optional sign. */
function numericParameter<Range extends z.ZodType<number>>(range: Range) {
  return z.preprocess((text) => (typeof text === 'string' && /^-?\d+$/.test(text) ? Number(text) : text), range)
}
