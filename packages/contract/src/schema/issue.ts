import { z } from 'zod'

/** An issue of the issue tracker that a feature is linked to. */
export const Issue = z
  .object({ issueId: z.string().min(1).max(100) })
  .meta({ id: 'Issue', example: { issueId: 'SHOP-42' } })
export type Issue = z.infer<typeof Issue>

/** The body that links a feature to an issue. */
export const LinkIssue = Issue.strict().meta({ id: 'LinkIssue', example: { issueId: 'SHOP-42' } })
export type LinkIssue = z.infer<typeof LinkIssue>
