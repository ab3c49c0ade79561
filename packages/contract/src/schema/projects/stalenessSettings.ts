import { z } from 'zod'
import { DateTime } from '../common/fields.ts'
import { project } from '../examples/shop.ts'

/** Evaluation counts may not go back further than this. */
const MAX_UNUSED_DAYS = 365

const Days = z.int().min(1).max(3650)
const UnusedDays = z.int().min(1).max(MAX_UNUSED_DAYS)

const Email = z
  .object({
    enabled: z.boolean(),
    frequency: z.enum(['weekly', 'biweekly', 'monthly']),
    users: z.array(z.string()).max(1000),
    lastNotification: DateTime.exactOptional()
  })
  .meta({ description: 'Stored for clients. The server sends no e-mail.' })

const released = { release: Days, experiment: Days }
const unmodifiedLong = { ops: Days, permission: Days }
const unmodifiedShort = { release: Days, experiment: Days }
const unused = { release: UnusedDays, experiment: UnusedDays, permission: UnusedDays, ops: UnusedDays }

/** Which features become stale, and after how many days (docs/guides/stale-features.md). */
export const StalenessSettings = z
  .object({
    enabled: z.boolean(),
    released: reason(14, Days, z.object(released).partial()),
    unmodifiedLong: reason(30, Days, z.object(unmodifiedLong).partial()),
    unmodifiedShort: reason(14, Days, z.object(unmodifiedShort).partial()),
    unused: reason(14, UnusedDays, z.object(unused).partial()),
    email: Email
  })
  .meta({ id: 'StalenessSettings', example: project.settings.staleness })
export type StalenessSettings = z.infer<typeof StalenessSettings>

/** `StalenessSettings` within a body. */
export const StalenessSettingsInput = z
  .strictObject({
    enabled: z.boolean(),
    released: reasonInput(Days, released),
    unmodifiedLong: reasonInput(Days, unmodifiedLong),
    unmodifiedShort: reasonInput(Days, unmodifiedShort),
    unused: reasonInput(UnusedDays, unused),
    email: Email.omit({ lastNotification: true }).partial().strict()
  })
  .partial()

function reason<Types extends z.ZodObject>(days: number, count: z.ZodInt, types: Types) {
  return z.object({
    enabled: z.boolean(),
    days: count.exactOptional().meta({ description: `Number of days. Default: ${days}.` }),
    types: types.exactOptional().meta({ description: 'Number of days by feature type, where it differs from `days`.' })
  })
}

function reasonInput<Types extends Readonly<Record<string, z.ZodInt>>>(days: z.ZodInt, types: Types) {
  const reset = { description: 'A number of days; `null` restores the default.' }
  // The same names, with nullable schemas.
  const nullable = Object.fromEntries(Object.entries(types).map(([type, count]) => [type, count.nullable()]))
  return z
    .strictObject({
      enabled: z.boolean(),
      days: days.nullable().meta(reset),
      types: z
        .strictObject(nullable as { [Type in keyof Types]: z.ZodNullable<Types[Type]> })
        .partial()
        .meta(reset)
    })
    .partial()
}
