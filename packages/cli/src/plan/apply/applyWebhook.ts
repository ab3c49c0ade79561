import type { CreateWebhook, UpdateWebhook } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { Resource } from '../../document/projectDocument.ts'
import { ifRevision } from '../../run/ifRevision.ts'
import type { Session } from '../../run/session.ts'
import type { ResourceChange } from '../difference/createPlan.ts'
import type { ServerProject } from '../project/readProject.ts'
import { readWebhook } from '../project/webhooks.ts'

/** Creates, updates or deletes a webhook. @param resource Its members after the change. @throws {ApiError} */
export async function applyWebhook(
  { action, key: name, members }: ResourceChange,
  resource: Resource,
  { client }: Pick<Session, 'client'>,
  project: Pick<ServerProject, 'key' | 'references' | 'webhookIds'>
): Promise<void> {
  const params = { project: project.key }
  if (action === 'create') {
    await client.createWebhook({ params, body: { name, ...toBody(resource) } as CreateWebhook })
    return
  }
  const { id, revision } = await readWebhook(name, { client }, project)
  const request = { params: { ...params, id }, ...ifRevision(revision) }
  if (action === 'delete') {
    await client.deleteWebhook(request)
    return
  }
  const changed = Object.fromEntries(members.map(({ path: [member = ''] }) => [member, resource[member] ?? null]))
  await client.updateWebhook({ ...request, body: toBody(changed) })
}

/** Returns the members of a body. */
function toBody({ feature, environments, format, ...others }: Resource): UpdateWebhook {
  return omitUndefined({
    ...others,
    _feature: feature,
    _environments: environments,
    outputFormat: format && { type: format }
  }) as UpdateWebhook
}
