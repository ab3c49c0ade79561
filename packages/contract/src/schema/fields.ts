import { z } from 'zod'
import { admin, createdAt, project } from './examples/shop.ts'

/** What names a resource for good: 24 lower-case hexadecimal characters. */
export const Id = z
  .string()
  .regex(/^[0-9a-f]{24}$/, 'should be an id: 24 of 0–9 and a–f')
  .meta({ id: 'Id', example: '65f0c0ffee0123456789abcd' })

/** A resource as requests name it: by its key or its id. */
export const Reference = z
  .string()
  .min(1)
  .max(100)
  .meta({ id: 'Reference', description: 'Its key or its id.', example: 'new-checkout' })

/** A resource that has no key, as addresses name it. Any text will do: one that is no id names nothing. */
export const IdReference = z.string().min(1).max(100).meta({ description: 'Its id.' })

/** Someone who acts: a client or a person. */
export const UserReference = z.string().meta({ id: 'UserReference', description: 'Who it was.', example: admin })

/** A moment, ISO 8601. Answers have it in UTC with milliseconds. */
export const DateTime = z.iso
  .datetime({ offset: true, abort: true, error: 'should be a date-time as in 2026-03-01T12:00:00.000Z' })
  .refine((text) => isInCalendar(Date.parse(text)), 'should be in the years 1000 to 9999 of UTC')
  .meta({ id: 'DateTime', description: 'In the years 1000 to 9999 of UTC.', example: createdAt })

/** A moment in epoch milliseconds, as queries have it. */
export const EpochTime = z.preprocess(
  // No text is no number; JavaScript takes it for zero.
  (said) => (said === '' ? Number.NaN : said),
  z.coerce
    .number('should be a number of milliseconds since 1970')
    .refine(isInCalendar, 'should be in the years 1000 to 9999 of UTC')
)

/** Whether ISO 8601 writes a moment with four digits of a year, also after some months are taken from it. */
function isInCalendar(moment: number): boolean {
  return FIRST <= moment && moment <= LAST
}

const FIRST = Date.parse('1000-01-01T00:00:00.000Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

/** What tells one content from every other: a SHA-256 in hexadecimal. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'should be a SHA-256: 64 of 0–9 and a–f')

/** What people call a resource. */
export const Name = z.string().min(1).max(100)

/** What people say about a resource. */
export const Description = z.string().max(1000)

/** A colour to show a resource in. */
export const Color = z
  .string()
  .max(9)
  .regex(/^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/, 'should be a hex colour as in #1d4ed8')
  .meta({ id: 'Color', example: project.color })

/** Words to find a resource by. */
export const Tags = z.array(z.string().min(1).max(100)).max(100)

/** Where a resource came from. */
export const ChangeSource = z
  .enum([
    'api',
    'dashboard',
    'importer',
    'github.code_usages',
    'github.pr_insights',
    'gitlab.code_usages',
    'gitlab.pr_insights',
    'bitbucket.code_usages',
    'bitbucket.pr_insights',
    'terraform',
    'cli',
    'chat',
    'mcp'
  ])
  .meta({ id: 'Origin' })
export type ChangeSource = z.infer<typeof ChangeSource>

/** The members that every resource has, and no request may set. */
export const recordFields = { _id: Id, createdAt: DateTime, updatedAt: DateTime } as const
