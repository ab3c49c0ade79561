import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { ProjectReference } from '../../schema/common/references.ts'
import { ProjectChange } from '../../schema/projects/projectChange.ts'
import { accessWithoutBody } from '../operationAccess.ts'

/** Stream the changes of a project. */
export const streamChanges = defineOperation({
  ...accessWithoutBody('project:read', 404),
  tag: 'Projects',
  id: 'streamChanges',
  summary: 'Stream the changes of a project',
  description:
    'Server-sent events, one per audit entry of the project that the caller can see. `id` is the id of the entry, `data` a `ProjectChange`. `Last-Event-ID` replays later entries. If there are too many, or the entry is unknown or older than a day, the event `reset` follows instead: the client should read everything again. A comment every 15 seconds keeps the connection open. The stream ends when the token expires or is revoked, and when its holder loses the permission. It also ends if the client reads too slowly. Returns 429 above 20 streams of the caller.',
  method: 'GET',
  path: '/v1/projects/{project}/changes',
  params: z.object({ project: ProjectReference }),
  status: 200,
  response: ProjectChange,
  responseKind: 'stream'
})
