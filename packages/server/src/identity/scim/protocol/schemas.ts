import { type Attribute, attribute } from './attribute.ts'

/** A resource type: its schema and the common attributes (RFC 7643 §3.1). */
export interface ResourceSchema {
  readonly id: string
  /** The name of the resource type. */
  readonly name: string
  readonly description: string
  /** The path below the base URL. */
  readonly endpoint: string
  readonly attributes: readonly Attribute[]
  /** The attributes of the schema, and the common ones. */
  readonly allAttributes: readonly Attribute[]
  /** Standard attributes that the server does not store, in lower case: it ignores their values. */
  readonly ignored: ReadonlySet<string>
}

const readOnly = { mutability: 'readOnly' } as const
const isBoolean = { type: 'boolean' } as const

const commonAttributes: readonly Attribute[] = [
  attribute('schemas', 'The schemas of the resource.', { ...readOnly, multiValued: true, returned: 'always' }),
  attribute('id', 'The id of the resource on this server.', { ...readOnly, caseExact: true, returned: 'always' }),
  attribute('externalId', 'The id of the resource at the client.', { caseExact: true }),
  attribute('meta', 'Metadata of the resource.', {
    ...readOnly,
    type: 'complex',
    subAttributes: [
      attribute('resourceType', 'The type of the resource.', { ...readOnly, caseExact: true }),
      attribute('created', 'When it was created.', { ...readOnly, type: 'dateTime' }),
      attribute('lastModified', 'When it was last modified.', { ...readOnly, type: 'dateTime' }),
      attribute('location', 'Its URL.', { ...readOnly, type: 'reference', caseExact: true }),
      attribute('version', 'Its ETag.', { ...readOnly, caseExact: true })
    ]
  })
]

function resourceSchema(
  definition: Omit<ResourceSchema, 'allAttributes' | 'ignored'> & { readonly ignored: readonly string[] }
): ResourceSchema {
  const { attributes, ignored } = definition
  return {
    ...definition,
    allAttributes: [...commonAttributes, ...attributes],
    ignored: new Set(ignored.map((name) => name.toLowerCase()))
  }
}

/** People. */
export const userSchema = resourceSchema({
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'A person who can sign in.',
  endpoint: '/Users',
  attributes: [
    attribute('userName', 'The login name at the identity provider. Unique, regardless of case.', {
      required: true,
      uniqueness: 'server'
    }),
    attribute('name', 'The parts of the name.', {
      type: 'complex',
      subAttributes: [
        attribute('formatted', 'The full name.'),
        attribute('familyName', 'The family name.'),
        attribute('givenName', 'The given name.')
      ]
    }),
    attribute('displayName', 'The name to show. Default: the name, or the login name without its domain.'),
    attribute('active', 'Whether the person may sign in. Deactivating ends all sessions and tokens.', isBoolean),
    attribute('emails', 'E-mail addresses. Burgee uses the primary one, else the one of the type work.', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute('value', 'The address.'),
        attribute('type', 'The kind of address.', { canonicalValues: ['work', 'home', 'other'] }),
        attribute('primary', 'Whether this is the preferred address.', isBoolean)
      ]
    }),
    attribute('groups', 'The groups of the person.', {
      ...readOnly,
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute('value', 'The id of the group.', { ...readOnly, caseExact: true }),
        attribute('$ref', 'The URL of the group.', {
          ...readOnly,
          type: 'reference',
          caseExact: true,
          referenceTypes: ['Group']
        }),
        attribute('display', 'The name of the group.', readOnly)
      ]
    })
  ],
  ignored: [
    'nickName',
    'profileUrl',
    'title',
    'userType',
    'preferredLanguage',
    'locale',
    'timezone',
    'password',
    'phoneNumbers',
    'ims',
    'photos',
    'addresses',
    'entitlements',
    'roles',
    'x509Certificates'
  ]
})

/** Groups, whose names the settings of the organization map to roles. */
export const groupSchema = resourceSchema({
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'A group of people. The settings of the organization map the names of groups to roles.',
  endpoint: '/Groups',
  attributes: [
    attribute('displayName', 'The name of the group. Unique.', {
      required: true,
      caseExact: true,
      uniqueness: 'server'
    }),
    attribute('members', 'The people of the group. Groups cannot be members.', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute('value', 'The id of the person.', { mutability: 'immutable', caseExact: true }),
        attribute('$ref', 'The URL of the person.', {
          mutability: 'immutable',
          type: 'reference',
          caseExact: true,
          referenceTypes: ['User']
        }),
        attribute('type', 'The type of the member.', { mutability: 'immutable', canonicalValues: ['User'] })
      ]
    })
  ],
  ignored: []
})

/** All resource types. */
export const resourceSchemas: readonly ResourceSchema[] = [userSchema, groupSchema]

/** Removes the URN of a schema from the path of an attribute: `urn:…:User:userName` becomes `userName`. */
export function withoutSchemaUrn(path: string, { id }: Pick<ResourceSchema, 'id'>): string {
  const prefix = `${id}:`
  return path.toLowerCase().startsWith(prefix.toLowerCase()) ? path.slice(prefix.length) : path
}

/** Whether the server ignores an attribute: a standard one that it does not store, or one of an extension. */
export function isIgnored(path: string, { ignored }: Pick<ResourceSchema, 'ignored'>): boolean {
  if (/^urn:/i.test(path)) return true
  const [name = ''] = path.split(/[.[]/)
  return ignored.has(name.toLowerCase())
}
