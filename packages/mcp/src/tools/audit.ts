import { operations } from '@burgee/contract'
import { collect, listPage } from '@burgee/contract/client'
import { AuditLogEntry } from '@burgee/contract/schemas'
import { z } from 'zod'
import { featurePage } from '../api/dashboardPages.ts'
import { tool } from '../tool.ts'
import { pageInfo, parameters, projectKey } from './parameters.ts'

const { feature } = operations.getFeatureAudit.params.shape
const { page, perPage, sortOrder, startDate, endDate, environment, idp_user } = operations.getFeatureAudit.query.shape

/** Accepts a date-time of the API, or a date, which stands for this time of the day in UTC. */
function dateOrDateTime(dateTime: z.ZodType, time: string) {
  return z
    .string()
    .overwrite((text) => (z.iso.date().safeParse(text).success ? `${text}${time}` : text))
    .refine(
      (text) => dateTime.safeParse(text).success,
      'must be a date such as 2026-03-01, or a date-time such as 2026-03-01T12:00:00.000Z'
    )
    .optional()
    .meta({ description: 'ISO 8601.' })
}

/** The API sorts by date alone and does not filter by action, so both are done here. */
export const getFeatureAuditLogHistory = tool({
  name: 'get_feature_audit_log_history',
  title: 'Get the audit log of a feature',
  category: 'features',
  description: 'The changes of a feature: who made them, and when.',
  access: 'reads',
  permissions: ['feature:read'],
  input: parameters({
    feature_key: feature,
    page,
    perPage,
    sortBy: z
      .enum(['createdAt', 'updatedAt', 'action', 'user'])
      .optional()
      .meta({ description: 'Default: createdAt.' }),
    sortOrder,
    startDate: dateOrDateTime(startDate, 'T00:00:00.000Z'),
    endDate: dateOrDateTime(endDate, 'T23:59:59.999Z'),
    environment: environment.meta({ description: 'Key.' }),
    user: idp_user.meta({ description: 'Id.' }),
    action: z.enum(['created', 'modified', 'deleted']).optional(),
    ...projectKey
  }),
  output: z.array(AuditLogEntry),
  run: async ({ projectKey: _, feature_key, page, perPage, sortBy = 'createdAt', user, action, ...query }, call) => {
    const { client, project } = call
    const params = { project: project(), feature: feature_key }
    const filters = { ...query, ...(user === undefined ? {} : { idp_user: user }) }
    const dashboardPage = featurePage(project(), feature_key, 'audit-log')
    if (action === undefined && sortBy !== 'action' && sortBy !== 'user') {
      const found = await listPage(client.getFeatureAudit, { params, query: { ...filters, page, perPage } })
      return { result: found.items, dashboardPage, page: pageInfo({ page, perPage }, found.count) }
    }
    const entries = await collect(client.getFeatureAudit, { params, query: filters })
    const all = entries.filter((entry) => action === undefined || actionsOf(entry).includes(action))
    const paging = pageInfo({ page, perPage }, all.length)
    const ordered = sortEntries(all, sortBy, query.sortOrder ?? 'desc')
    const result = ordered.slice((paging.page - 1) * paging.perPage, paging.page * paging.perPage)
    return { result, dashboardPage, page: paging }
  }
})

type Action = 'created' | 'modified' | 'deleted'

/** Returns the action of each change. */
function actionsOf({ changes }: AuditLogEntry): readonly Action[] {
  return changes.map(({ type }) => {
    if (/^(created|added)/.test(type)) return 'created'
    return /^(deleted|removed)/.test(type) ? 'deleted' : 'modified'
  })
}

/** Sorts by action or user. The sort is stable, so equal entries stay in the order of their dates. */
function sortEntries(entries: readonly AuditLogEntry[], by: string, order: 'asc' | 'desc'): readonly AuditLogEntry[] {
  if (by !== 'action' && by !== 'user') return entries
  const nameOf = (entry: AuditLogEntry) => (by === 'user' ? entry.idp_user : String(actionsOf(entry)[0]))
  const sign = order === 'asc' ? 1 : -1
  return [...entries].sort((a, b) => sign * nameOf(a).localeCompare(nameOf(b), 'en'))
}
