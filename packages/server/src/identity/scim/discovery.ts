import type { ScimObject } from './protocol/attribute.ts'
import { MAX_RESULTS } from './protocol/query.ts'
import { type ResourceSchema, resourceSchemas } from './protocol/schemas.ts'

const urn = 'urn:ietf:params:scim:schemas:core:2.0'

/** The configuration of the service provider (RFC 7643 §5). */
export function serviceProviderConfig(baseUrl: string): ScimObject {
  return {
    schemas: [`${urn}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'SCIM token',
        description: 'A token that an administrator of Burgee creates, in the Authorization header after "Bearer ".',
        primary: true
      }
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` }
  }
}

/** The resource types (RFC 7643 §6). */
export function resourceTypes(baseUrl: string): readonly ScimObject[] {
  return resourceSchemas.map(({ id, name, description, endpoint }) => ({
    schemas: [`${urn}:ResourceType`],
    id: name,
    name,
    description,
    endpoint,
    schema: id,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${name}` }
  }))
}

/** The schemas (RFC 7643 §7). */
export function schemas(baseUrl: string): readonly ScimObject[] {
  return resourceSchemas.map((schema) => toSchemaResource(schema, baseUrl))
}

function toSchemaResource({ id, name, description, attributes }: ResourceSchema, baseUrl: string): ScimObject {
  const meta = { resourceType: 'Schema', location: `${baseUrl}/Schemas/${id}` }
  return { schemas: [`${urn}:Schema`], id, name, description, attributes, meta }
}
