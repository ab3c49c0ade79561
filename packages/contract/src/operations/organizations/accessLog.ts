import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { DateTime } from '../../schema/common/fields.ts'
import { Pagination } from '../../schema/common/pagination.ts'
import { AccessKind, AccessLogEntry, AccessOutcome, AddressFilter } from '../../schema/organizations/accessLog.ts'
import { accessWithoutBody } from '../operationAccess.ts'

const tag = 'Organizations'

const filters = z.object({
  idp_user: z.string().min(1).optional().meta({ description: 'Entries of this user or client.' }),
  clientId: z.string().min(1).optional().meta({ description: 'Entries through this API client.' }),
  kind: AccessKind.optional().meta({ description: 'Entries of this kind.' }),
  outcome: AccessOutcome.optional().meta({ description: 'Entries with this outcome.' }),
  address: AddressFilter.optional().meta({
    description: 'Entries from this address or network, such as `192.0.2.10`, `192.0.2.0/24` or `2001:db8::/64`.'
  }),
  startDate: DateTime.optional().meta({ description: 'Entries from this time on.' }),
  endDate: DateTime.optional().meta({ description: 'Entries up to and including this time.' })
})

/** List entries of the access log. */
export const listAccessLog = defineOperation({
  ...accessWithoutBody('organization:write:settings'),
  tag,
  id: 'listAccessLog',
  summary: 'List entries of the access log',
  description:
    'Sign-ins, tokens, refused SDK keys, and access to secrets and logs, including refused requests. For a large log, set `startDate`.',
  method: 'GET',
  path: '/v1/organizations/current/access-log',
  query: Pagination.pick({ page: true, perPage: true, sortOrder: true }).extend(filters.shape),
  accessLog: 'auditRead',
  status: 200,
  response: z.array(AccessLogEntry),
  responseKind: 'list'
})

/** Export the access log. */
export const exportAccessLog = defineOperation({
  ...accessWithoutBody('organization:write:settings'),
  tag,
  id: 'exportAccessLog',
  summary: 'Export the access log',
  description: 'The entries that match the filters, oldest first, one JSON object per line.',
  method: 'GET',
  path: '/v1/organizations/current/access-log/export',
  query: filters,
  accessLog: 'export',
  status: 200,
  response: z.array(AccessLogEntry),
  responseKind: 'lines'
})
