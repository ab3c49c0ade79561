import { revisionOf } from '@burgee/contract/client'
import type { Resource, Section } from '../../document/projectDocument.ts'
import type { Session } from '../../run/session.ts'
import { readSettings } from './projectSettings.ts'
import { type ServerProject, toAudience, toFeature, toMetric, toProperty, toVariable } from './readProject.ts'
import { readWebhook } from './webhooks.ts'

/** A resource in the form of the files, with the revision that a conditional write requires. */
export interface CurrentResource {
  readonly resource: Resource
  readonly revision: string | undefined
}

/** Reads a resource from the server. Its metrics are those of the time at which the plan was made. @throws {ApiError}, {NotFoundError} */
export async function readResource(
  { section, key }: { readonly section: Section; readonly key: string },
  { session: { client }, server }: { readonly session: Pick<Session, 'client'>; readonly server: ServerProject }
): Promise<CurrentResource> {
  const params = { project: server.key, key }
  switch (section) {
    case 'customProperties': {
      const property = await client.getCustomProperty({ params })
      return { resource: toProperty(property), revision: revisionOf(property) }
    }
    case 'audiences': {
      const audience = await client.getAudience({ params })
      return { resource: toAudience(audience, server.references), revision: revisionOf(audience) }
    }
    case 'variables': {
      const variable = await client.getVariable({ params })
      return { resource: { ...toVariable(variable), status: variable.status }, revision: revisionOf(variable) }
    }
    case 'metrics': {
      const metric = await client.getMetric({ params })
      return { resource: toMetric(metric), revision: revisionOf(metric) }
    }
    case 'webhooks':
      return readWebhook(key, { client }, server)
    case 'settings':
      return readSettings({ client }, server.key)
    case 'features': {
      const feature = await client.getFeature({ params: { project: server.key, feature: key } })
      return { resource: toFeature(feature, server.references), revision: revisionOf(feature) }
    }
  }
}
